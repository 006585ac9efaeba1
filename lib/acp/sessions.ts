import type { Call } from "../connection.ts";
import { type Agent, findSession } from "./agent.ts";
import type { CancelParams } from "./schema.ts";

/** `session/new`: a session stands for a thread of its own on the service. */
export async function newSession(agent: Agent, _params: unknown, call: Call) {
  await agent.credentials.refresh();
  const thread = await agent.threads.create(call.signal);
  const sessionId = `session_${crypto.randomUUID().replaceAll("-", "")}`;
  agent.sessions.set(sessionId, {
    id: sessionId,
    thread,
    prompts: new Set(),
    lastTurn: Promise.resolve(),
    lastStamp: 0,
  });
  return { sessionId };
}

/** Cancels every prompt that is not answered yet, of all sessions; says how many those were. */
export function cancelTurns(agent: Agent): number {
  const calls = [...agent.sessions.values()].flatMap((session) => [...session.prompts]);
  for (const call of calls) call.cancel();
  return calls.length;
}

/** `session/cancel`: every prompt of the session that is not answered yet answers `cancelled`. */
export function cancelSession(agent: Agent, { sessionId }: CancelParams): void {
  for (const call of findSession(agent, sessionId).prompts) call.cancel();
}
