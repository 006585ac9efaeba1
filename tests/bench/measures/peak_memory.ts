import { sleep, systemClock } from "../../../lib/clock.ts";
import { type Bench, inRounds, withAgent } from "../bench.ts";
import { haveTurns } from "../turns.ts";
import { peakMemory, residentMemory } from "../usage.ts";

const MIB = 1024 * 1024;
/** How long a process settles before its memory is looked at, in milliseconds. */
const SETTLING = 300;

/** The most that a large reply ever makes resident, in a process that has done nothing before. */
export async function peakOfLargeReply(
  { plan, results, surroundings, agents }: Bench,
): Promise<void> {
  const script = { events: 0, gap: 0, reply: plan.peakReply };
  const { signal } = new AbortController();
  await inRounds(plan.growthRounds, agents, async ([name, command]) => {
    await withAgent(command, surroundings, async (agent) => {
      const session = await agent.open();
      await sleep(systemClock, SETTLING, signal);
      const idle = await residentMemory(agent.pid);
      await haveTurns(agent, [session], script);
      const peak = await peakMemory(agent.pid);
      if (idle === undefined || peak === undefined) return;
      results.record("peakMemory", name, peak);
      results.record("peakPerByte", name, (peak - idle) * MIB / plan.peakReply);
    });
  });
}
