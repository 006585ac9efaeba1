import { sleep, systemClock } from "../../../lib/clock.ts";
import type { Bench } from "../bench.ts";
import { startAgent } from "../process.ts";
import { SHORT_TURN } from "../turns.ts";
import { cpuTime } from "../usage.ts";

/** What the unit of the measure is for, in milliseconds. */
const PERIOD = 10_000;
/** How long the first turn's traces take to settle, in milliseconds. */
const SETTLING = 1_000;

/** The processor's time of agents that have nothing to do after a turn; all of them at once. */
export async function idleCpu({ plan, results, surroundings, agents }: Bench): Promise<void> {
  const { signal } = new AbortController();
  const idle = await Promise.all([...agents].map(async ([name, command]) => {
    const agent = startAgent(command, surroundings);
    await agent.initialize();
    await agent.prompt(await agent.open(), SHORT_TURN);
    return { name, agent };
  }));
  const look = () => Promise.all(idle.map(({ agent }) => cpuTime(agent.pid)));
  await sleep(systemClock, SETTLING, signal);
  const before = await look();
  await sleep(systemClock, plan.idle, signal);
  const after = await look();
  for (const [index, { name, agent }] of idle.entries()) {
    await agent.end();
    const [begin, end] = [before[index], after[index]];
    if (begin === undefined || end === undefined) continue;
    results.record("idleCpu", name, (end - begin) * PERIOD / plan.idle);
  }
}
