import { type Bench, inRounds, withAgent } from "../bench.ts";
import type { Measure } from "../results.ts";
import type { Script } from "../script.ts";
import { median } from "../statistics.ts";
import { haveTurns } from "../turns.ts";

/** How often the small one of two sizes is measured, while the large one is once. */
const TIMES = 5;
/** How often it is before: the short one must be as warm as the long one gets. */
const WARM_UPS = 15;

/** Whether an event takes longer in a long turn than in a short one. */
export async function growthWithEvents(bench: Bench): Promise<void> {
  const [few, many] = bench.plan.growthEvents;
  await growth(bench, {
    script: (events) => ({ events, gap: 0, reply: 80 }),
    small: { measure: "fewEvents", size: few },
    large: { measure: "manyEvents", size: many },
    perUnit: 1e3,
  });
}

/** Whether a byte takes longer in a large reply than in a small one. */
export async function growthWithReply(bench: Bench): Promise<void> {
  const [small, large] = bench.plan.growthReply;
  await growth(bench, {
    script: (reply) => ({ events: 0, gap: 0, reply }),
    small: { measure: "smallReply", size: small },
    large: { measure: "largeReply", size: large },
    perUnit: 1e6,
  });
}

interface Sized {
  measure: Measure;
  size: number;
}

async function growth(
  { plan, results, surroundings, agents }: Bench,
  { script, small, large, perUnit }: {
    script: (size: number) => Script;
    small: Sized;
    large: Sized;
    /** How many of the measure's unit are in a millisecond. */
    perUnit: number;
  },
): Promise<void> {
  const compared = [...agents].filter(([name]) => name === "bridge" || name === "relay");
  await inRounds(plan.growthRounds, compared, async ([name, command]) => {
    await withAgent(command, surroundings, async (agent) => {
      const sessions = [await agent.open()];
      const time = (size: number) => haveTurns(agent, sessions, script(size));
      for (let warm = 0; warm < WARM_UPS; warm++) await time(small.size);
      const times: number[] = [];
      for (let again = 0; again < TIMES; again++) times.push(await time(small.size));
      const longest = await time(large.size);
      results.record(small.measure, name, median(times) * perUnit / small.size);
      results.record(large.measure, name, longest * perUnit / large.size);
    });
  });
}
