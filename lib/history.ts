import { BridgeError } from "./errors.ts";
import { encodeJson, type Json } from "./json.ts";
import type { Log } from "./log.ts";
import { createSessionFile, type SessionFile } from "./session_file.ts";
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
  /** Adds updates, which are encoded already, to a session's file, when there are many or later. */
  appendUpdates(sessionId: string, updates: readonly Json[]): void;
  /** Resolves when all that was added to a session's file is on its way to the disk. */
  save(sessionId: string): Promise<void>;
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
  const files = new Map<string, SessionFile>();
  let failed = folder === undefined;
  let complained = false;
  let clearing: Promise<void> | undefined;
  /** How many sessions were begun here. */
  let begun = 0;
  /** The sessions that are in use here are not cleared away. */
  const mine = new Set<string>();

  const pathOf = (sessionId: string) => `${folder}/${sessionId}.jsonl`;

  function write(sessionId: string, lines: readonly Json[]): SessionFile | undefined {
    mine.add(sessionId);
    if (failed || !SESSION_ID.test(sessionId)) return undefined;
    const file = files.get(sessionId) ?? open(sessionId, false);
    if (lines.length > 0) file.add(...lines);
    return file;
  }

  function open(sessionId: string, create: boolean): SessionFile {
    let isFirst = create; // a file that is removed meanwhile stays so
    const file = createSessionFile((bytes) => {
      const appended = append(sessionId, bytes, isFirst);
      isFirst = false;
      return appended;
    });
    files.set(sessionId, file);
    return file;
  }

  function append(
    sessionId: string,
    bytes: Uint8Array<ArrayBuffer>,
    create: boolean,
  ): Promise<void> {
    writes = writes.then(async () => {
      if (failed) return;
      await Deno.writeFile(pathOf(sessionId), bytes, { append: true, create, mode: 0o600 });
    }).catch((cause) => {
      if (cause instanceof Deno.errors.NotFound || complained) return; // it was removed meanwhile
      complained = true;
      log.error(() => `something is missing in the history, ${folder} cannot be written: ${cause}`);
    });
    return writes;
  }

  async function flush(): Promise<void> {
    await Promise.all([...files.values()].map((file) => file.flush()));
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
    await files.get(sessionId)?.flush();
    files.delete(sessionId);
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
      if (begun === 0) {
        writes = Deno.mkdir(folder ?? "", { recursive: true, mode: 0o700 }).catch((cause) => {
          failed = true;
          log.error(() => `there is no history, ${folder} cannot be made: ${cause}`);
        });
      }
      if (begun++ % CLEAR_EVERY === 0) {
        clearing = writes.then(clearAway).catch((thrown) => log.error(() => String(thrown)));
      }
      open(header.sessionId, true);
      write(header.sessionId, [encodeJson(header)])?.flush();
    },
    append(sessionId, ...entries) {
      write(sessionId, entries.map(encodeJson))?.flush();
    },
    appendUpdates(sessionId, updates) {
      if (failed) return;
      write(sessionId, updates.map((update) => ['{"kind":"update","update":', ...update, "}"]));
    },
    async save(sessionId) {
      await files.get(sessionId)?.flush();
    },
    list,
    async read(sessionId) {
      if (folder === undefined || !SESSION_ID.test(sessionId)) return undefined;
      await files.get(sessionId)?.flush();
      const record = await readRecord(pathOf(sessionId));
      if (record !== undefined) mine.add(sessionId);
      return record;
    },
    remove,
    flush,
    cleared: async () => await clearing,
  };
}
