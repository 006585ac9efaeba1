import * as z from "zod/mini";
import { lazily } from "./lazily.ts";
import { BridgeError } from "./errors.ts";
import { encodeJson, type Json } from "./json.ts";
import type { Log } from "./log.ts";

/** What is known of a session from its beginning. */
export const SessionHeader = lazily(() =>
  z.object({
    kind: z.literal("session"),
    sessionId: z.string(),
    /** The origin of the service that has the thread. */
    origin: z.string(),
    threadId: z.string(),
    cwd: z.string(),
  })
);
export type SessionHeader = z.infer<typeof SessionHeader>;

/** One line of a session's file; what an update and a prompt are is for others to know. */
const Entry = lazily(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("title"), title: z.string() }),
    z.object({ kind: z.literal("prompt"), messageId: z.string(), blocks: z.array(z.unknown()) }),
    z.object({ kind: z.literal("update"), update: z.unknown() }),
  ])
);
export type Entry = z.infer<typeof Entry>;

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

/** The sessions of the past, in one file each. What cannot be written costs history alone. */
export interface History {
  /** Whether anything is kept. */
  readonly kept: boolean;
  /** Begins the file of a session. */
  begin(header: SessionHeader): void;
  /** Adds to a session's file. */
  append(sessionId: string, ...entries: Entry[]): void;
  /** Adds updates, which are encoded already, to a session's file. */
  appendUpdates(sessionId: string, updates: readonly Json[]): void;
  /** All sessions, the newest first. */
  list(): Promise<SessionSummary[]>;
  /** One session, if it is there and can be read; it is in use from then on. */
  read(sessionId: string): Promise<SessionRecord | undefined>;
  /** Removes a session, if it is there; throws a `BridgeError` when that cannot be done. */
  remove(sessionId: string): Promise<void>;
  /** Resolves when all that was added so far is on its way to the disk. */
  flush(): Promise<void>;
  /** Resolves when what is too old or too much has been cleared away, if that has begun. */
  cleared(): Promise<void>;
}

/** What is kept at the most. */
export interface HistoryLimits {
  sessions: number;
  /** In milliseconds. */
  age: number;
}

/** How much of a file is read for its summary, in bytes: header and title stand first. */
const HEAD = 8 * 1024;
/** How many new sessions there may be before it is cleared away again. */
const CLEAR_EVERY = 50;
/** How many files are open at once. */
const FILES_AT_ONCE = 32;
/** The ids that sessions have, and file names may be made of. */
const SESSION_ID = /^session_[0-9a-z]{8,64}$/;

/** Makes a history in the folder, or one that keeps nothing where there is none. */
export function createHistory(
  folder: string | undefined,
  { log, now, limits }: { log: Log; now: () => number; limits: HistoryLimits },
): History {
  /** Writes go one after the other, so that a session's lines stay in their order. */
  let writes: Promise<void> = Promise.resolve();
  let failed = folder === undefined;
  let complained = false;
  let clearing: Promise<void> | undefined;
  /** How many sessions were begun here. */
  let begun = 0;
  /** The sessions that are in use here are not cleared away. */
  const mine = new Set<string>();

  const pathOf = (sessionId: string) => `${folder}/${sessionId}.jsonl`;

  function write(sessionId: string, lines: readonly Json[], create = false): void {
    mine.add(sessionId);
    if (failed || lines.length === 0 || !SESSION_ID.test(sessionId)) return;
    // A newline before them, too: a line that was torn off before them does not spoil the first.
    const text = `\n${lines.join("\n")}\n`;
    writes = writes.then(async () => {
      if (failed) return;
      await Deno.writeTextFile(pathOf(sessionId), text, { append: true, create, mode: 0o600 });
    }).catch((cause) => {
      if (cause instanceof Deno.errors.NotFound || complained) return; // it was removed meanwhile
      complained = true;
      log.error(() => `something is missing in the history, ${folder} cannot be written: ${cause}`);
    });
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

  async function summary(sessionId: string): Promise<SessionSummary | undefined> {
    try {
      using file = await Deno.open(pathOf(sessionId));
      const bytes = new Uint8Array(HEAD);
      const size = await file.read(bytes) ?? 0;
      const { mtime } = await file.stat();
      const lines = parseLines(new TextDecoder().decode(bytes.subarray(0, size)));
      const header = z.safeParse(SessionHeader, lines[0]);
      if (!header.success || header.data.sessionId !== sessionId) return undefined;
      const second = z.safeParse(Entry, lines[1]);
      const title = second.data?.kind === "title" ? second.data.title : undefined;
      return { ...header.data, title, updatedAt: mtime?.getTime() ?? 0 };
    } catch {
      return undefined; // gone meanwhile, or not to be read: no session to offer
    }
  }

  async function list(): Promise<SessionSummary[]> {
    if (folder === undefined) return [];
    await writes;
    const ids: string[] = [];
    try {
      for await (const { name, isFile } of Deno.readDir(folder)) {
        const id = name.replace(/\.jsonl$/, "");
        if (isFile && id !== name && SESSION_ID.test(id)) ids.push(id);
      }
    } catch {
      return []; // no folder yet
    }
    const found: SessionSummary[] = [];
    for (let i = 0; i < ids.length; i += FILES_AT_ONCE) {
      const some = await Promise.all(ids.slice(i, i + FILES_AT_ONCE).map(summary));
      found.push(...some.filter((each) => each !== undefined));
    }
    return found
      .sort((a, b) => b.updatedAt - a.updatedAt || a.sessionId.localeCompare(b.sessionId));
  }

  async function clearAway(): Promise<void> {
    const oldest = now() - limits.age;
    const sessions = (await list()).filter(({ sessionId }) => !mine.has(sessionId));
    const room = Math.max(0, limits.sessions - mine.size);
    for (const [index, { sessionId, updatedAt }] of sessions.entries()) {
      const isInUse = mine.has(sessionId); // by now
      if (!isInUse && (index >= room || updatedAt < oldest)) await remove(sessionId);
    }
  }

  async function remove(sessionId: string): Promise<void> {
    mine.delete(sessionId);
    await writes;
    if (folder === undefined || !SESSION_ID.test(sessionId)) return;
    try {
      await Deno.remove(pathOf(sessionId));
    } catch (cause) {
      if (cause instanceof Deno.errors.NotFound) return;
      throw new BridgeError("internal", `The session cannot be removed from ${folder}: ${cause}`, {
        cause,
      });
    }
  }

  return {
    get kept() {
      return !failed;
    },
    begin(header) {
      if (failed) return;
      if (begun === 0) {
        writes = Deno.mkdir(folder ?? "", { recursive: true, mode: 0o700 }).catch((cause) => {
          failed = true;
          log.error(() => `there is no history, ${folder} cannot be made: ${cause}`);
        });
      }
      if (begun++ % CLEAR_EVERY === 0) {
        clearing = writes.then(clearAway).catch((thrown) => log.error(() => String(thrown)));
      }
      write(header.sessionId, [encodeJson(header)], true);
    },
    append: (sessionId, ...entries) => write(sessionId, entries.map(encodeJson)),
    appendUpdates: (sessionId, updates) =>
      write(sessionId, updates.map((update) => `{"kind":"update","update":${update}}`)),
    list,
    async read(sessionId) {
      if (folder === undefined || !SESSION_ID.test(sessionId)) return undefined;
      await writes;
      const text = await readFile(pathOf(sessionId)).catch(() => "");
      const [first, ...rest] = parseLines(text);
      const header = z.safeParse(SessionHeader, first);
      if (!header.success) return undefined;
      mine.add(sessionId);
      const entries = rest.flatMap((line) => {
        const entry = z.safeParse(Entry, line);
        return entry.success ? [entry.data] : [];
      });
      return { ...header.data, entries };
    },
    remove,
    flush: () => writes,
    cleared: async () => await clearing,
  };
}

/** Reads a file; anything else, such as a pipe, which would be waited on for ever, is none. */
async function readFile(path: string): Promise<string> {
  return (await Deno.lstat(path)).isFile ? await Deno.readTextFile(path) : "";
}
