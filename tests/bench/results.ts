/** Who is measured; the bridge without its history, which the others have not, and with it. */
export const CONTESTANTS = ["bridge", "history", "empty", "relay", "node", "peer"] as const;
export type Contestant = typeof CONTESTANTS[number];

/** What is measured, and in what unit. */
export const MEASURES = {
  wholeRun: ["spawn → exit", "ms"],
  initialize: ["spawn → `initialize` answer", "ms"],
  firstPrompt: ["spawn → first prompt's answer", "ms"],
  idleMemory: ["resident memory, idle", "MiB"],
  memoryAfterPrompts: ["resident memory after many prompts", "MiB"],
  peakMemory: ["resident memory, peak of a large reply", "MiB"],
  peakPerByte: ["peak above idle, per byte of the reply", "bytes"],
  oneSession: ["one session × 20,000 events", "ms"],
  oneSessionCpu: ["CPU per event, one session", "µs"],
  tenThousand: ["one session × 10,000 events", "ms"],
  manySessions: ["100 sessions × 200 events", "ms"],
  manySessionsCpu: ["CPU per event, 100 sessions", "µs"],
  delayP50: ["added delay per event, p50", "ms"],
  delayP99: ["added delay per event, p99", "ms"],
  fewEvents: ["time per event, few events", "µs"],
  manyEvents: ["time per event, many events", "µs"],
  smallReply: ["time per byte, small reply", "ns"],
  largeReply: ["time per byte, large reply", "ns"],
  idleCpu: ["CPU in 10 s of idleness", "ms"],
  size: ["the executable", "MiB"],
  archive: ["the executable, compressed", "MiB"],
  runtimeSize: ["the base runtime alone", "MiB"],
} as const;
export type Measure = keyof typeof MEASURES;

/** What was measured of one contestant, one sample a round. */
export interface Series {
  measure: Measure;
  contestant: Contestant;
  samples: number[];
}

/** All that was measured. */
export interface Results {
  /** Adds the sample of a round; nothing where this machine cannot tell. */
  record(measure: Measure, contestant: Contestant, sample: number | undefined): void;
  /** The samples so far, one a round. */
  samples(measure: Measure, contestant: Contestant): readonly number[];
  /** All of them, in the order of the first samples. */
  all(): readonly Series[];
}

/** Makes an empty collection of results. */
export function createResults(): Results {
  const series: Series[] = [];
  const find = (measure: Measure, contestant: Contestant) =>
    series.find((each) => each.measure === measure && each.contestant === contestant);
  return {
    record(measure, contestant, sample) {
      if (sample === undefined) return;
      const known = find(measure, contestant);
      if (known === undefined) series.push({ measure, contestant, samples: [sample] });
      else known.samples.push(sample);
    },
    samples: (measure, contestant) => find(measure, contestant)?.samples ?? [],
    all: () => series,
  };
}
