import type {
  CloseSessionResponse,
  DeleteSessionResponse,
  LoadSessionResponse,
  NewSessionResponse,
  ResumeSessionResponse,
} from "@agentclientprotocol/sdk";
import type { Call } from "../connection.ts";
import { BridgeError } from "../errors.ts";
import type { Entry } from "../session_record.ts";
import { encodeJson } from "../json.ts";
import type { Thread } from "../service/threads.ts";
import { type Agent, findSession, type Session } from "./agent.ts";
import type { NewSessionParams, SessionParams, TakeUpParams } from "./schema.ts";
import { lastStampOf, replayUpdates, updateParams } from "./updates.ts";

/**
 * `session/new`: a session stands for a thread of its own on the service
 * (https://agentclientprotocol.com/protocol/v1/session-setup).
 */
export async function newSession(
  agent: Agent,
  params: NewSessionParams,
  call: Call,
): Promise<NewSessionResponse> {
  await agent.credentials.refresh();
  const threads = await agent.loadThreads();
  const thread = await threads.create(call.signal);
  const sessionId = `session_${crypto.randomUUID().replaceAll("-", "")}`;
  const cwd = params?.cwd ?? "";
  openSession(agent, sessionId, thread, cwd, []);
  agent.history.begin({
    kind: "session",
    sessionId,
    origin: agent.origin,
    threadId: thread.id,
    cwd,
  });
  return { sessionId };
}

function openSession(
  agent: Agent,
  id: string,
  thread: Thread,
  cwd: string,
  past: readonly Entry[],
): Session {
  const session: Session = {
    id,
    thread,
    cwd,
    saved: new Set(),
    titled: past.length > 0,
    prompts: new Set(),
    lastTurn: Promise.resolve(),
    lastStamp: lastStampOf(past),
  };
  agent.sessions.set(id, session);
  return session;
}

/** `session/load`: takes up a session of the past, and shows all of it before it answers. */
export async function loadSession(
  agent: Agent,
  params: TakeUpParams,
  call: Call,
): Promise<LoadSessionResponse> {
  const { sessionId } = params;
  await takeUp(agent, params, call, async (entries) => {
    for (const update of replayUpdates(entries, agent.handshake)) {
      await call.notify("session/update", ...updateParams(sessionId, encodeJson(update)));
    }
  });
  return {};
}

/** `session/resume`: takes up a session of the past without showing it. */
export async function resumeSession(
  agent: Agent,
  params: TakeUpParams,
  call: Call,
): Promise<ResumeSessionResponse> {
  await takeUp(agent, params, call, () => {});
  return {};
}

/** Makes a session of the past one of the present, unless it is closed meanwhile. */
async function takeUp(
  agent: Agent,
  params: TakeUpParams,
  call: Call,
  show: (entries: Entry[]) => Promise<void> | void,
): Promise<void> {
  const { sessionId } = params;
  agent.loads.set(call, sessionId);
  try {
    await agent.credentials.refresh();
    const threads = await agent.loadThreads();
    const record = await agent.history.read(sessionId);
    call.signal.throwIfAborted();
    if (record === undefined) return void findSession(agent, sessionId); // one of no history
    const { origin, threadId, cwd, entries } = record;
    if (origin !== agent.origin) {
      throw new BridgeError(
        "invalidParams",
        `The session "${sessionId}" is one of ${origin}, and this is ${agent.origin}; set PATBA_HOST to load it`,
      );
    }
    if (!agent.sessions.has(sessionId)) {
      openSession(agent, sessionId, threads.open(threadId), params.cwd ?? cwd, entries);
    }
    await show(entries);
  } finally {
    agent.loads.delete(call);
  }
}

/** `session/close`: its prompts answer `cancelled` first, and nothing more is said of it. */
export async function closeSession(
  agent: Agent,
  { sessionId }: SessionParams,
): Promise<CloseSessionResponse> {
  if (![...agent.loads.values()].includes(sessionId)) findSession(agent, sessionId);
  await endSession(agent, sessionId);
  return {};
}

/** `session/delete`: as `session/close`, and it is forgotten; one that is unknown is so already. */
export async function deleteSession(
  agent: Agent,
  { sessionId }: SessionParams,
): Promise<DeleteSessionResponse> {
  await endSession(agent, sessionId);
  await agent.history.remove(sessionId);
  await endSession(agent, sessionId); // it may have been taken up meanwhile
  return {};
}

/** Cancels all that is being said of a session; resolves when that is answered and over. */
async function endSession(agent: Agent, sessionId: string): Promise<void> {
  const session = agent.sessions.get(sessionId);
  agent.sessions.delete(sessionId); // first, so that no prompt is added meanwhile
  const loads = [...agent.loads].flatMap(([call, id]) => id === sessionId ? [call] : []);
  const calls = [...session?.prompts ?? [], ...loads];
  for (const call of calls) call.cancel();
  await Promise.all(calls.map((call) => call.answered));
  await session?.lastTurn; // which has its last words for the history yet
}

/**
 * `session/cancel`: every prompt of the session that is not answered yet answers `cancelled`
 * (https://agentclientprotocol.com/protocol/v1/prompt-turn#cancellation).
 */
export function cancelSession(agent: Agent, { sessionId }: SessionParams): void {
  for (const call of findSession(agent, sessionId).prompts) call.cancel();
}
