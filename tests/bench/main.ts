import { parseArgs } from "node:util";
import { baseRuntimeSize } from "./base_runtime.ts";
import type { Bench } from "./bench.ts";
import { compile, exists } from "./compile.ts";
import { describeMachine } from "./machine.ts";
import { delay } from "./measures/delay.ts";
import { growthWithEvents, growthWithReply } from "./measures/growth.ts";
import { idleCpu } from "./measures/idle_cpu.ts";
import { idleMemory } from "./measures/idle_memory.ts";
import { memoryAfterPrompts } from "./measures/memory_after_prompts.ts";
import { peakOfLargeReply } from "./measures/peak_memory.ts";
import { size } from "./measures/size.ts";
import { start } from "./measures/start.ts";
import { throughput } from "./measures/throughput.ts";
import { FULL, type Plan, SHORT } from "./plan.ts";
import {
  json,
  measuredTable,
  putBetweenMarkers,
  ratioTable,
  readmeSection,
  standings,
  targetTable,
} from "./report.ts";
import { type Contestant, createResults, type Results } from "./results.ts";
import { startService } from "./start_service.ts";

const USAGE = `Measures the executable beside others, all in one run.

deno task bench [--short] [--check] [--peer COMMAND] [--binary PATH] [--json FILE] [--readme]

  --short         less of everything; ends with 1 when a target is missed by more than half again
  --check         ends with 1 when a target is missed
  --peer COMMAND  another agent of the same service to measure; it finds the service in PATBA_HOST
  --binary PATH   the executable; without it, dist/patb-cli-bridge
  --json FILE     writes all that was measured into a file
  --readme        puts the tables into the README
`;

const README = new URL("../../README.md", import.meta.url);
const BINARY = new URL("../../dist/patb-cli-bridge", import.meta.url).pathname;

/** All that is measured, in this order. */
const STEPS = [
  start,
  idleMemory,
  memoryAfterPrompts,
  peakOfLargeReply,
  throughput,
  delay,
  growthWithEvents,
  growthWithReply,
  idleCpu,
  size,
];

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      short: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      peer: { type: "string" },
      binary: { type: "string", default: BINARY + (Deno.build.os === "windows" ? ".exe" : "") },
      json: { type: "string" },
      readme: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return say(USAGE);
  if (!await exists(values.binary)) {
    progress(`There is no ${values.binary}: run "deno task compile" first.`);
    return 2;
  }

  const results = createResults();
  const circumstances = {
    machine: describeMachine(),
    command: ["deno task bench", ...shownArguments(Deno.args)].join(" "),
    date: new Date().toISOString().slice(0, 10),
  };
  const temporary = await Deno.makeTempDir();
  try {
    await measure(values.binary, values.peer, values.short ? SHORT : FULL, temporary, results);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }

  const all = standings(results);
  say(`${circumstances.machine}\n\n${targetTable(all)}\n`);
  say(`${ratioTable(results)}\n${measuredTable(results)}`);
  if (values.json !== undefined) {
    await Deno.writeTextFile(values.json, json(results, circumstances));
  }
  if (values.readme) {
    const section = readmeSection(results, circumstances);
    await Deno.writeTextFile(README, putBetweenMarkers(await Deno.readTextFile(README), section));
  }
  const failed = all.some(({ verdict }) =>
    verdict === "far" && values.short || verdict !== "met" && verdict !== "not measured" &&
      values.check
  );
  return failed ? 1 : 0;
}

async function measure(
  binary: string,
  peer: string | undefined,
  plan: Plan,
  temporary: string,
  results: Results,
): Promise<void> {
  /** All are copies made alike: how a file came into the system's cache shows in the memory. */
  async function place(name: string, path: string): Promise<string> {
    const copy = `${temporary}/bench-${name}${Deno.build.os === "windows" ? ".exe" : ""}`;
    await Deno.copyFile(path, copy);
    return copy;
  }

  const bridge = await place("bridge", binary);
  const agents = new Map<Contestant, readonly string[]>([
    ["bridge", [bridge, "--no-history"]],
    ["relay", [await place("relay", await compile("relay"))]],
  ]);
  const nodeAgent = new URL("agents/node_agent.mjs", import.meta.url).pathname;
  if (plan.others) agents.set("history", [bridge]);
  if (plan.others && await hasNode()) agents.set("node", ["node", nodeAgent]);
  if (peer !== undefined) agents.set("peer", peer.split(" "));

  await using service = await startService();
  const bench: Bench = {
    plan,
    results,
    surroundings: { host: service.host, temporary },
    agents,
    empty: [await place("empty", await compile("empty"))],
    waiting: [await place("waiting", await compile("waiting"))],
    runtimeSize: await baseRuntimeSize(),
  };
  for (const step of STEPS) {
    const begun = performance.now();
    await step(bench);
    progress(`${step.name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
}

/** What was asked for, without what says where the results go. */
function shownArguments(args: readonly string[]): string[] {
  return args.filter((arg, index) =>
    arg !== "--readme" && arg !== "--json" && args[index - 1] !== "--json"
  );
}

async function hasNode(): Promise<boolean> {
  try {
    return (await new Deno.Command("node", { args: ["--version"] }).output()).success;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

function say(text: string): number {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
  return 0;
}

function progress(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

if (import.meta.main) Deno.exit(await main());
