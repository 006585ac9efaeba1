import { type Bench, inRounds } from "../bench.ts";
import { startAgent, wholeRun } from "../process.ts";
import { SHORT_TURN } from "../turns.ts";

/** Spawn to the answers of `initialize` and of the first prompt; the whole run of nothing. */
export async function start({ plan, results, surroundings, agents, empty }: Bench): Promise<void> {
  const contestants = [...agents, ["empty", empty] as const];
  // The first round counts for nothing: the runtime keeps compiled code for the later ones.
  await inRounds(1 + plan.startRounds, contestants, async ([name, command], round) => {
    if (name === "empty") {
      const took = await wholeRun(command, surroundings);
      if (round > 0) results.record("wholeRun", name, took);
      return;
    }
    const agent = startAgent(command, surroundings);
    await agent.initialize();
    const initialized = performance.now();
    await agent.prompt(await agent.open(), SHORT_TURN);
    const prompted = performance.now();
    await agent.end();
    if (round === 0) return;
    results.record("initialize", name, initialized - agent.spawned);
    results.record("firstPrompt", name, prompted - agent.spawned);
  });
}
