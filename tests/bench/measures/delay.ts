import { type Bench, inRounds, withAgent } from "../bench.ts";
import { moment, writtenAt } from "../script.ts";
import { quantile } from "../statistics.ts";
import { haveTurns } from "../turns.ts";

/** Milliseconds between two events: each finds the agent waiting. */
const GAP = 2;

/** How long an event that comes alone takes, from the service's write to the line on stdout. */
export async function delay({ plan, results, surroundings, agents }: Bench): Promise<void> {
  await inRounds(plan.rounds, agents, async ([name, command]) => {
    await withAgent(command, surroundings, async (agent) => {
      const sessions = [await agent.open()];
      await haveTurns(agent, sessions, { events: 2_000, gap: 0, reply: 80 });
      const delays: number[] = [];
      agent.onNotification = (line) => {
        const written = writtenAt(line);
        if (written !== undefined) delays.push(moment() - written);
      };
      await haveTurns(agent, sessions, { events: plan.delayed, gap: GAP, reply: 80 });
      results.record("delayP50", name, quantile(delays, 0.5));
      results.record("delayP99", name, quantile(delays, 0.99));
    });
  });
}
