import * as v from "valibot";

/** What is known of a session from its beginning. */
export const SessionHeader = v.object({
  kind: v.literal("session"),
  sessionId: v.string(),
  /** The origin of the service that has the thread. */
  origin: v.string(),
  threadId: v.string(),
  cwd: v.string(),
});
export type SessionHeader = v.InferOutput<typeof SessionHeader>;

/**
 * One line of a session's file, the most frequent first; what an update and a prompt are is for
 * others to know.
 */
export const Entry = v.variant("kind", [
  v.object({ kind: v.literal("update"), update: v.unknown() }),
  v.object({ kind: v.literal("title"), title: v.string() }),
  v.object({ kind: v.literal("prompt"), messageId: v.string(), blocks: v.array(v.unknown()) }),
]);
export type Entry = v.InferOutput<typeof Entry>;

/** A session as a list shows it. */
export interface SessionSummary extends SessionHeader {
  title: string | undefined;
  /** When something was last added to it, in milliseconds since the epoch. */
  updatedAt: number;
}

/** A session as it was left. */
export interface SessionRecord extends SessionHeader {
  entries: Entry[];
}

/** How much of a file is read for its summary, in bytes: header and title stand first. */
const HEAD = 8 * 1024;

/** Reads what a list shows of a session; nothing where its file is none of a session's. */
export async function readSummary(
  path: string,
  sessionId: string,
): Promise<SessionSummary | undefined> {
  try {
    using file = await Deno.open(path);
    const bytes = new Uint8Array(HEAD);
    const size = await file.read(bytes) ?? 0;
    const { mtime } = await file.stat();
    const lines = parseLines(new TextDecoder().decode(bytes.subarray(0, size)));
    const header = v.safeParse(SessionHeader, lines[0]);
    if (!header.success || header.output.sessionId !== sessionId) return undefined;
    const second = v.safeParse(Entry, lines[1]);
    const title = second.success && second.output.kind === "title"
      ? second.output.title
      : undefined;
    return { ...header.output, title, updatedAt: mtime?.getTime() ?? 0 };
  } catch {
    return undefined; // gone meanwhile, or not to be read: no session to offer
  }
}

/** Reads all of a session; nothing where its file cannot be read, or is none of a session's. */
export async function readRecord(path: string): Promise<SessionRecord | undefined> {
  const text = await readFile(path).catch(() => "");
  const [first, ...rest] = parseLines(text);
  const header = v.safeParse(SessionHeader, first);
  if (!header.success) return undefined;
  const entries = rest.flatMap((line) => {
    const entry = v.safeParse(Entry, line);
    return entry.success ? [entry.output] : [];
  });
  return { ...header.output, entries };
}

/** Reads a file; anything else, such as a pipe, which would be waited on for ever, is none. */
async function readFile(path: string): Promise<string> {
  return (await Deno.lstat(path)).isFile ? await Deno.readTextFile(path) : "";
}

function parseLines(text: string): unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line)];
    } catch {
      return []; // a line that was torn off; those before and after it are good
    }
  });
}
