import type { Clock } from "../clock.ts";
import type { Call } from "../connection.ts";
import type { Credentials } from "../credentials.ts";
import { BridgeError } from "../errors.ts";
import type { History } from "../history.ts";
import type { Thread, Threads } from "../service/threads.ts";

/** The agent that the editor sees: all that the handlers of its methods share. */
export interface Agent {
  readonly credentials: Credentials;
  /** Gives the threads of the service, whose code is loaded by the first call. */
  readonly loadThreads: () => Promise<Threads>;
  readonly history: History;
  /** Where files that the agent writes are saved. */
  readonly files: Files;
  /** The origin of the service, which alone has the threads of its sessions. */
  readonly origin: string;
  readonly clock: Clock;
  /** How progress is shown: as message, as thought (which only ACP v1 knows), or not at all. */
  readonly progress: "message" | "thought" | "off";
  /** The program's own version. */
  readonly version: string;
  /** Which handshake `initialize` made; none before it. */
  handshake: "1.0" | "v1" | undefined;
  /** Settles when the file that was to be saved last is. */
  lastSave: Promise<void>;
  /** The calls that take up a session of the past, with its id. */
  readonly loads: Map<Call, string>;
  /** Whether the editor writes files for us, so that its open buffers follow. */
  editorWrites: boolean;
  readonly sessions: Map<string, Session>;
}

/** Where files that the agent writes are saved. */
export interface Files {
  /** The folder, relative to the session's or absolute. */
  outDir: string;
  /** Whether the agent may choose a place outside it. */
  anyPath: boolean;
  /** The folder of sessions that have none. */
  cwd: () => string;
  /** As `Deno.build.os` says it. */
  os: string;
}

/** A conversation: a session to the editor, a thread to the service. */
export interface Session {
  readonly id: string;
  readonly thread: Thread;
  /** Its working directory; empty where the editor gave none. */
  readonly cwd: string;
  /** The files saved in it, by name and hash. */
  readonly saved: Set<string>;
  /** Whether it has a title, which its first prompt gives it. */
  titled: boolean;
  /** Its prompts that are not answered yet, the running one first. */
  readonly prompts: Set<Call>;
  /** Settles when the prompt received last is through, and the next may run. */
  lastTurn: Promise<void>;
  /** The last time stamp given out, so that message ids are unique. */
  lastStamp: number;
}

/** Finds a session by the id that the editor gave. */
export function findSession(agent: Agent, id: string): Session {
  const session = agent.sessions.get(id);
  if (session === undefined) {
    throw new BridgeError(
      "invalidParams",
      `Unknown session "${id}": start a new one`,
    );
  }
  return session;
}

/** Cancels every prompt that is not answered yet, of all sessions; says how many those were. */
export function cancelTurns(agent: Agent): number {
  const calls = [...agent.sessions.values()].flatMap((session) => [...session.prompts]);
  for (const call of calls) call.cancel();
  return calls.length;
}

/** A time stamp in milliseconds that the session has not used in a message id yet. */
export function nextStamp(session: Session, clock: Clock): number {
  session.lastStamp = Math.max(clock.now(), session.lastStamp + 1);
  return session.lastStamp;
}
