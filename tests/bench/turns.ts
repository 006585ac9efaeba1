import type { Agent } from "./process.ts";
import type { Script } from "./script.ts";

/** A turn of one progress event and a line of a reply. */
export const SHORT_TURN: Script = { events: 1, gap: 0, reply: 80 };

/** Starts so many sessions. */
export async function openSessions(agent: Agent, count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => agent.open()));
}

/**
 * Has a turn in each of the sessions, all at once; returns the milliseconds until the last answer.
 *
 * @throws {Error} when less arrived than was sent
 */
export async function haveTurns(
  agent: Agent,
  sessions: readonly string[],
  script: Script,
): Promise<number> {
  const before = agent.notified;
  const begun = performance.now();
  await Promise.all(sessions.map((session) => agent.prompt(session, script)));
  const took = performance.now() - begun;
  const expected = sessions.length * (script.events + 1);
  const arrived = agent.notified - before;
  if (arrived < expected) throw new Error(`only ${arrived} of ${expected} updates arrived`);
  return took;
}
