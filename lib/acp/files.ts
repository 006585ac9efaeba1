// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import { within } from "../clock.ts";
import type { Call } from "../connection.ts";
import type { Run } from "../service/threads.ts";
import { type Agent, nextStamp, type Session } from "./agent.ts";
import type { TextChunk, ToolCall } from "./schema.ts";
import { type AgentFile, notSavedUpdate, savedUpdate } from "./updates.ts";

/** How long the editor may take to write a file, in milliseconds. */
const MAX_WRITE = 30_000;
/** Why a file was not saved whose turn has had its time. */
const OUT_OF_TIME = "the turn has had its time (--turn-timeout)";

/** The turn whose files are saved. */
export interface Turn {
  call: Call;
  run: Run;
  /** The files that could not be saved, which is said once of each. */
  unsaved: Set<string>;
}

/**
 * Saves a file that the agent wrote, once in a session, and returns what tells of it. That it could
 * not be saved is said, too, and ends nothing.
 */
export async function saveFile(
  agent: Agent,
  session: Session,
  file: AgentFile,
  turn: Turn,
): Promise<TextChunk | ToolCall | undefined> {
  const { call, run, unsaved } = turn;
  const key = JSON.stringify([file.name, file.sha256]);
  if (session.saved.has(key)) return undefined;
  try {
    const bytes = await run.artifact(file.name);
    const saving = () => save(agent, session, file, bytes, turn);
    const { path, text } = await oneAtATime(agent, run.signal, saving);
    session.saved.add(key);
    const shown = withoutSecrets(agent, text);
    return savedUpdate(file.name, path, shown, nextStamp(session, agent.clock), agent.handshake);
  } catch (thrown) {
    call.signal.throwIfAborted();
    if (!(thrown instanceof Error)) throw thrown;
    if (unsaved.has(key)) return undefined;
    unsaved.add(key);
    const why = run.signal.aborted ? OUT_OF_TIME : thrown.message;
    return notSavedUpdate(file.name, why, nextStamp(session, agent.clock));
  }
}

/** One save at a time, so that no two find the same name free; whoever waits can leave. */
async function oneAtATime<T>(
  agent: Agent,
  signal: AbortSignal,
  save: () => Promise<T>,
): Promise<T> {
  const before = agent.lastSave;
  const { promise: mine, resolve } = Promise.withResolvers<void>();
  agent.lastSave = mine;
  try {
    await abortable(before, signal);
    return await save();
  } finally {
    before.then(resolve);
  }
}

async function save(
  agent: Agent,
  session: Session,
  file: AgentFile,
  bytes: Uint8Array<ArrayBuffer>,
  turn: Turn,
) {
  // Loaded with the first file: most sessions have none.
  const { saveArtifact } = await import("../artifacts.ts");
  const { outDir, anyPath, os } = agent.files;
  return await saveArtifact({ ...file, bytes }, {
    cwd: session.cwd === "" ? agent.files.cwd() : session.cwd,
    outDir,
    anyPath,
    os,
    signal: turn.call.signal,
    writeText: (path, text) => writeThroughEditor(agent, session, path, text, turn),
  });
}

/** Whether the editor has written the file; where it cannot, or will not, the disk is left. */
async function writeThroughEditor(
  agent: Agent,
  session: Session,
  path: string,
  content: string,
  { call, run }: Turn,
): Promise<boolean> {
  if (!agent.editorWrites || withoutSecrets(agent, content) !== content) return false;
  const written = call.request("fs/write_text_file", { sessionId: session.id, path, content });
  const unanswered = new Error("no answer");
  try {
    await within(agent.clock, MAX_WRITE, abortable(written, run.signal), () => unanswered);
    return true;
  } catch (thrown) {
    call.signal.throwIfAborted();
    if (thrown === unanswered) agent.editorWrites = false; // it would be waited for each time
    return false;
  }
}

/** A text for the editor: no key, even where a file has one. */
function withoutSecrets(agent: Agent, text: string): string {
  return [...agent.credentials.secrets].reduce((shown, key) => shown.replaceAll(key, "***"), text);
}
