import type { Contestant, Measure, Results } from "./results.ts";
import { ratios } from "./statistics.ts";

/** What a ratio, or a number of the bridge's own, must not exceed. */
export interface Target {
  name: string;
  most: number;
  /** One number a round; none where something of it was not measured. */
  rounds(results: Results): readonly number[];
  /** The same of the minimal relay, where it says what no work of the bridge's own can be blamed for. */
  relays?(results: Results): readonly number[];
  /** What it would be if the relay's time stood above: getting faster below must not fail anything. */
  atRelaysPace?(results: Results): readonly number[];
}

type Side = readonly [Measure, Contestant];

function ratio(name: string, above: Side, below: Side, most: number): Target {
  const [[measure, one], [base, other]] = [above, below];
  const rounds = (results: Results) => ratios(results.samples(...above), results.samples(...below));
  if (one !== other) return { name, most, rounds };
  const relays = (results: Results) =>
    ratios(results.samples(measure, "relay"), results.samples(base, "relay"));
  const atRelaysPace = (results: Results) =>
    ratios(results.samples(measure, "relay"), results.samples(...below));
  return { name, most, rounds, relays, atRelaysPace };
}

function own(name: string, measure: Measure, most: number): Target {
  return {
    name,
    most,
    rounds: (results) => results.samples(measure, "bridge"),
    relays: (results) => results.samples(measure, "relay"),
  };
}

/** What the bridge is held to, on the machine at hand, within one run. */
export const TARGETS: readonly Target[] = [
  ratio(
    "spawn → `initialize` answer / the empty program's whole run",
    ["initialize", "bridge"],
    ["wholeRun", "empty"],
    1.1,
  ),
  ratio(
    "resident memory, idle / the empty program's",
    ["idleMemory", "bridge"],
    ["idleMemory", "empty"],
    1.15,
  ),
  ratio(
    "20,000 events on one session / the minimal relay's time",
    ["oneSession", "bridge"],
    ["oneSession", "relay"],
    1.25,
  ),
  ratio(
    "100 sessions × 200 events / one session × 20,000",
    ["manySessions", "bridge"],
    ["oneSession", "bridge"],
    1.5,
  ),
  ratio(
    "added delay per event, p50 / the minimal relay's",
    ["delayP50", "bridge"],
    ["delayP50", "relay"],
    1.5,
  ),
  ratio(
    "time per event, many events / few",
    ["manyEvents", "bridge"],
    ["fewEvents", "bridge"],
    1.1,
  ),
  ratio(
    "time per byte, large reply / small",
    ["largeReply", "bridge"],
    ["smallReply", "bridge"],
    1.25,
  ),
  own("peak memory of a large reply above idle / its size", "peakPerByte", 12),
  ratio(
    "10,000 events on one session / the peer's time",
    ["tenThousand", "bridge"],
    ["tenThousand", "peer"],
    0.8,
  ),
  ratio(
    "100 sessions × 200 events / the peer's time",
    ["manySessions", "bridge"],
    ["manySessions", "peer"],
    0.8,
  ),
  own("CPU in 10 s of idleness, in ms", "idleCpu", 10),
  ratio("the executable / the base runtime", ["size", "bridge"], ["runtimeSize", "empty"], 1.01),
];

/** How far past a target the guard lets a busy machine go. */
const TOLERANCE = 1.5;

/** Whether a target is met, missed, or missed by more than half again; how it stands. */
export type Verdict = "met" | "missed" | "far" | "not measured";

/**
 * Judges the middle of the rounds by its target. What the relay itself misses is far past only where
 * it is far past the relay, too, in its own ratio or in its time.
 */
export function judge(
  middle: number | undefined,
  most: number,
  relays: number | undefined,
): Verdict {
  if (middle === undefined) return "not measured";
  if (middle <= most) return "met";
  return middle <= Math.max(most, relays ?? 0) * TOLERANCE ? "missed" : "far";
}
