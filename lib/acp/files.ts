import { within } from "../clock.ts";
import type { Call } from "../connection.ts";
import { type Agent, nextStamp, type Session } from "./agent.ts";
import type { TextChunk, ToolCall } from "./schema.ts";
import { type AgentFile, notSavedUpdate, savedUpdate } from "./updates.ts";

/** How long the editor may take to write a file, in milliseconds. */
const MAX_WRITE = 30_000;

/**
 * Saves a file that the agent wrote, once in a session, and returns what tells of it. That it could
 * not be saved is said, too, and ends nothing.
 */
export async function saveFile(
  agent: Agent,
  session: Session,
  file: AgentFile,
  call: Call,
): Promise<TextChunk | ToolCall | undefined> {
  const key = JSON.stringify([file.name, file.sha256]);
  if (session.saved.has(key)) return undefined;
  session.saved.add(key);
  try {
    const bytes = await session.thread.artifact(file.name, call.signal);
    // Loaded with the first file: most sessions have none.
    const { saveArtifact } = await import("../artifacts.ts");
    const { outDir, anyPath, os } = agent.files;
    const { path, text } = await saveArtifact({ ...file, bytes }, {
      cwd: session.cwd === "" ? agent.files.cwd() : session.cwd,
      outDir,
      anyPath,
      os,
      writeText: agent.editorWrites ? writeText : undefined,
    });
    return savedUpdate(file.name, path, text, nextStamp(session, agent.clock), agent.handshake);
  } catch (thrown) {
    call.signal.throwIfAborted();
    if (!(thrown instanceof Error)) throw thrown;
    return notSavedUpdate(file.name, thrown.message, nextStamp(session, agent.clock));
  }

  async function writeText(path: string, content: string): Promise<void> {
    const written = call.request("fs/write_text_file", { sessionId: session.id, path, content });
    await within(agent.clock, MAX_WRITE, written, () => new Error("the editor did not write it"));
  }
}
