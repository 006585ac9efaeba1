import { sleep, systemClock } from "../../../lib/clock.ts";
import { type Bench, inRounds, withAgent } from "../bench.ts";
import { startAgent } from "../process.ts";
import { residentMemory } from "../usage.ts";

/** How long a process settles before its memory is looked at, in milliseconds. */
const SETTLING = 300;

/** What is resident after `initialize`; of the empty program, while it stays. */
export async function idleMemory(
  { plan, results, surroundings, agents, waiting }: Bench,
): Promise<void> {
  const { signal } = new AbortController();
  const contestants = [...agents, ["empty", waiting] as const];
  await inRounds(plan.rounds, contestants, async ([name, command]) => {
    const look = async ({ pid }: { pid: number }) => {
      await sleep(systemClock, SETTLING, signal);
      results.record("idleMemory", name, await residentMemory(pid));
    };
    if (name !== "empty") return await withAgent(command, surroundings, look);
    const stays = startAgent(command, surroundings);
    await look(stays);
    await stays.end();
  });
}
