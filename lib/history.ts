import { BridgeError } from "./errors.ts";
import { encodeJson, type Json, wrapJson } from "./json.ts";
import { createLineBlock, type LineBlock } from "./line_block.ts";
import type { Log } from "./log.ts";
import {
  type Entry,
  readRecord,
  readSummary,
  type SessionHeader,
  type SessionRecord,
  type SessionSummary,
} from "./session_record.ts";

/** The sessions of the past, in one file each. What cannot be written costs history alone. */
export interface History {
  /** Begins the file of a session. */
  begin(header: SessionHeader): void;
  /** Adds to a session's file, at once. */
  append(sessionId: string, ...entries: Entry[]): void;
  /** Adds updates, which are encoded already; they wait until there are many, or `save` is called. */
  appendUpdates(sessionId: string, updates: readonly Json[]): void;
  /** Writes what waits of a session; never fails. */
  save(sessionId: string): void;
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

/**
 * How much of a session waits to be written, in bytes. Each time costs the thread that relays near
 * a millisecond on a busy machine, however little it is.
 */
const WRITTEN_AT_ONCE = 256 * 1024;
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
  /** Writes go one after the other: to do many at once takes a thread for each. */
  let writes: Promise<void> = Promise.resolve();
  /** The lines that wait to be written, by session. */
  const unwritten = new Map<string, LineBlock>();
  let failed = folder === undefined;
  let complained = false;
  let clearing: Promise<void> | undefined;
  /** How many sessions were begun here. */
  let begun = 0;
  /** The sessions that are in use here are not cleared away. */
  const mine = new Set<string>();

  const pathOf = (sessionId: string) => `${folder}/${sessionId}.jsonl`;

  function add(sessionId: string, lines: readonly Json[]): void {
    mine.add(sessionId);
    if (failed || lines.length === 0 || !SESSION_ID.test(sessionId)) return;
    const block = unwritten.get(sessionId) ?? createLineBlock();
    unwritten.set(sessionId, block);
    for (const line of lines) block.add(line);
    if (block.size >= WRITTEN_AT_ONCE) save(sessionId);
  }

  function save(sessionId: string, create = false): void {
    const bytes = unwritten.get(sessionId)?.encode();
    unwritten.delete(sessionId);
    if (bytes === undefined) return;
    writes = writes.then(async () => {
      if (failed) return;
      await Deno.writeFile(pathOf(sessionId), bytes, { append: true, create, mode: 0o600 });
    }).catch((cause) => {
      if (cause instanceof Deno.errors.NotFound || complained) return; // it was removed meanwhile
      complained = true;
      log.error(() => `something is missing in the history, ${folder} cannot be written: ${cause}`);
    });
  }

  async function flush(): Promise<void> {
    for (const sessionId of unwritten.keys()) save(sessionId);
    await writes;
  }

  async function list(): Promise<SessionSummary[]> {
    if (folder === undefined) return [];
    await flush();
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
      const some = await Promise.all(
        ids.slice(i, i + FILES_AT_ONCE).map((id) => readSummary(pathOf(id), id)),
      );
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
    save(sessionId);
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
    begin(header) {
      if (failed) return;
      // For each session: it may be cleared away while the bridge is at work.
      writes = writes.then(() => Deno.mkdir(folder ?? "", { recursive: true, mode: 0o700 }))
        .catch((cause) => {
          if (!failed) log.error(() => `there is no history, ${folder} cannot be made: ${cause}`);
          failed = true;
        });
      if (begun++ % CLEAR_EVERY === 0) {
        clearing = writes.then(clearAway).catch((thrown) => log.error(() => String(thrown)));
      }
      add(header.sessionId, [encodeJson(header)]);
      save(header.sessionId, true);
    },
    append(sessionId, ...entries) {
      add(sessionId, entries.map(encodeJson));
      save(sessionId);
    },
    appendUpdates(sessionId, updates) {
      if (failed) return;
      add(sessionId, updates.map((update) => wrapJson('{"kind":"update","update":', update, "}")));
    },
    save,
    list,
    async read(sessionId) {
      if (folder === undefined || !SESSION_ID.test(sessionId)) return undefined;
      save(sessionId);
      await writes;
      const record = await readRecord(pathOf(sessionId));
      if (record !== undefined) mine.add(sessionId);
      return record;
    },
    remove,
    flush,
    cleared: async () => await clearing,
  };
}
