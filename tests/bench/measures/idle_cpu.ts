import { sleep, systemClock } from "../../../lib/clock.ts";
import type { Bench } from "../bench.ts";
import { startAgent } from "../process.ts";
import { cpuBetween, cpuTimes } from "../usage.ts";

/** What the unit of the measure is for, in milliseconds. */
const PERIOD = 10_000;
/** How many of each there are, for now and then one has something to tidy up. */
const IDLERS = 3;
/** How long the start takes to settle, in milliseconds. */
const SETTLING = 1_000;

/**
 * The processor's time of agents that wait for a first turn, all of them at once. After a turn V8
 * tidies its memory up once, some seconds later, which is no idleness.
 */
export async function idleCpu({ plan, results, surroundings, agents }: Bench): Promise<void> {
  const { signal } = new AbortController();
  const all = [...agents].flatMap((agent) => Array.from({ length: IDLERS }, () => agent));
  const idle = await Promise.all(all.map(async ([name, command]) => {
    const agent = startAgent(command, surroundings);
    await agent.initialize();
    return { name, agent };
  }));
  const look = () => Promise.all(idle.map(({ agent }) => cpuTimes(agent.pid)));
  await sleep(systemClock, SETTLING, signal);
  const before = await look();
  await sleep(systemClock, plan.idle, signal);
  const after = await look();
  for (const [index, { name, agent }] of idle.entries()) {
    await agent.end();
    const time = cpuBetween(before[index], after[index]);
    if (time !== undefined) results.record("idleCpu", name, time * PERIOD / plan.idle);
  }
}
