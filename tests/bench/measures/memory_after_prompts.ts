import { type Bench, inRounds, withAgent } from "../bench.ts";
import { haveTurns, SHORT_TURN } from "../turns.ts";
import { residentMemory } from "../usage.ts";

/** What is resident after many prompts, one after the other in one session. */
export async function memoryAfterPrompts(
  { plan, results, surroundings, agents }: Bench,
): Promise<void> {
  if (plan.prompts === 0) return;
  await inRounds(1, agents, async ([name, command]) => {
    await withAgent(command, surroundings, async (agent) => {
      const sessions = [await agent.open()];
      for (let turn = 0; turn < plan.prompts; turn++) await haveTurns(agent, sessions, SHORT_TURN);
      results.record("memoryAfterPrompts", name, await residentMemory(agent.pid));
    });
  });
}
