import { CONTESTANTS, type Measure, MEASURES, type Results } from "./results.ts";
import { ratios, summarize, type Summary } from "./statistics.ts";
import { table } from "./table.ts";
import { judge, TARGETS, type Verdict } from "./targets.ts";

/** Where and how the bench ran. */
export interface Circumstances {
  /** The processor, the system and the runtime. */
  machine: string;
  /** What was typed. */
  command: string;
  /** The day, as in 2026-01-31. */
  date: string;
}

/** How the bridge stands to one target. */
export interface Standing {
  target: string;
  most: number;
  measured: Summary | undefined;
  /** The same of the minimal relay, where that says something. */
  relays: number | undefined;
  verdict: Verdict;
}

/** How the bridge stands to each target. */
export function standings(results: Results): Standing[] {
  return TARGETS.map(({ name, most, rounds, relays: relayRounds, atRelaysPace }) => {
    const measured = summarize(rounds(results));
    const relays = relayRounds && summarize(relayRounds(results))?.median;
    const pace = atRelaysPace && summarize(atRelaysPace(results))?.median;
    const verdict = judge(measured?.median, most, Math.max(relays ?? 0, pace ?? 0));
    return { target: name, most, measured, relays, verdict };
  });
}

const MARKS: Record<Verdict, string> = {
  met: "✓ met",
  missed: "✗ missed",
  far: "✗ far past",
  "not measured": "",
};

/** The targets, and how far the bridge is from them. */
export function targetTable(all: readonly Standing[]): string {
  const head = ["ratio", "target", "median", "half of the rounds", "the relay's own", ""];
  return table([
    head,
    ...all.map(({ target, most, measured, relays, verdict }) => [
      target,
      String(most),
      measured === undefined ? "not measured" : short(measured.median),
      measured === undefined ? "" : `${short(measured.low)} – ${short(measured.high)}`,
      relays === undefined ? "" : short(relays),
      MARKS[verdict],
    ]),
  ]);
}

/** The bridge beside each of the others: the median of the rounds' ratios, for each measure. */
export function ratioTable(results: Results): string {
  const others = CONTESTANTS.filter((name) =>
    name !== "bridge" && results.all().some(({ contestant }) => contestant === name)
  );
  const rows = measures().map((measure) => {
    const bridge = results.samples(measure, "bridge");
    const cells = others.map((name) => {
      const middle = summarize(ratios(bridge, results.samples(measure, name)))?.median;
      return middle === undefined ? "" : short(middle);
    });
    return [MEASURES[measure][0], ...cells];
  });
  const told = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  return table([["bridge /", ...others], ...told]);
}

/** What was measured, in units: true of this machine and this run alone. */
export function measuredTable(results: Results): string {
  const present = CONTESTANTS.filter((name) =>
    results.all().some(({ contestant }) => contestant === name)
  );
  const rows = measures().map((measure) => {
    const [name, unit] = MEASURES[measure];
    const cells = present.map((contestant) => {
      const summary = summarize(results.samples(measure, contestant));
      if (summary === undefined) return "";
      const spread = (summary.high - summary.low) / 2;
      return `${short(summary.median)} ± ${short(spread)}`;
    });
    return [`${name}, ${unit}`, ...cells];
  });
  return table([["median ± half of the middle half", ...present], ...rows]);
}

/** All of it, for programs. */
export function json(results: Results, circumstances: Circumstances): string {
  const series = results.all().map(({ measure, contestant, samples }) => {
    const [name, unit] = MEASURES[measure];
    return { measure, name, unit, contestant, ...summarize(samples), samples };
  });
  const targets = standings(results);
  return JSON.stringify({ ...circumstances, targets, series }, undefined, 2) + "\n";
}

/** What the README shows: ratios alone. */
export function readmeSection(results: Results, circumstances: Circumstances): string {
  const { machine, command, date } = circumstances;
  return `\`\`\`\n${command}\n${date}, ${machine}\n\`\`\`\n\n` +
    `${targetTable(standings(results))}\n${ratioTable(results)}`;
}

const BEGIN = "<!-- bench -->";
const END = "<!-- /bench -->";

/**
 * Puts a section between the markers of a document.
 *
 * @throws {Error} when it has no such markers
 */
export function putBetweenMarkers(document: string, section: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END, begin);
  if (begin < 0 || end < 0) {
    throw new Error(`Cannot find the place of the table: "${BEGIN}" and "${END}" are not there`);
  }
  return `${document.slice(0, begin + BEGIN.length)}\n\n${section}\n${document.slice(end)}`;
}

function measures(): Measure[] {
  return Object.keys(MEASURES).filter((name): name is Measure => name in MEASURES);
}

/** Three digits that count. */
function short(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
