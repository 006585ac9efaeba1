import type { Plan } from "./plan.ts";
import { type Agent, startAgent, type Surroundings } from "./process.ts";
import type { Contestant, Results } from "./results.ts";

/** All that a measure works with. */
export interface Bench {
  plan: Plan;
  results: Results;
  /** What all contestants find around them. */
  surroundings: Surroundings;
  /** The commands of all that speak the protocol. */
  agents: ReadonlyMap<Contestant, readonly string[]>;
  /** The command of the empty program, and of the one that stays. */
  empty: readonly string[];
  waiting: readonly string[];
  /** The base runtime's size in bytes, where it could be found. */
  runtimeSize: number | undefined;
}

/** Plays rounds in which every contestant has its turn, in each in another order. */
export async function inRounds<T>(
  rounds: number,
  contestants: Iterable<T>,
  play: (contestant: T, round: number) => Promise<void>,
): Promise<void> {
  let order = [...contestants];
  for (let round = 0; round < rounds; round++) {
    for (const contestant of order) await play(contestant, round);
    order = [...order.slice(1), ...order.slice(0, 1)];
  }
}

/** Has a fresh agent for a while: it is initialized, and ended after. */
export async function withAgent<T>(
  command: readonly string[],
  surroundings: Surroundings,
  use: (agent: Agent) => Promise<T>,
): Promise<T> {
  const agent = startAgent(command, surroundings);
  try {
    await agent.initialize();
    return await use(agent);
  } finally {
    await agent.end();
  }
}
