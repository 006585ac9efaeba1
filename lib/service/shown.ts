import type { Progress } from "./events.ts";

/** How much of the progress shown is remembered, in characters; what comes after that is not. */
const MAX_REMEMBERED = 16 * 1024 * 1024;
/** How much of it is made bytes at once, in characters. */
const PIECE = 16 * 1024;
/** What stands between the parts of a key, and at its end (ECMA-48, US and RS). */
const [UNIT, END] = ["\u001f", "\u001e"];

/** What a run has shown. */
export interface Shown {
  /** Whether a progress is new on that connection, and not a repetition of an earlier one's. */
  isNew(progress: Progress, connection: number): boolean;
}

/**
 * Remembers the progress of each connection: the same on a later one is a repetition.
 *
 * What the latest connection brought is kept as bytes, and keys are made of it only if another one
 * follows: an object or a string for each event would have to be moved about by the collector,
 * which takes a sixth of the time of a long run.
 */
export function createShown(): Shown {
  const encoder = new TextEncoder();
  /** What earlier connections brought. */
  let earlier = new Set<string>();
  let latest = 1;
  /** What the latest one brought: the keys that are not bytes yet, and the bytes. */
  let keys = "";
  let bytes: Uint8Array[] = [];
  /** How much is remembered, of all connections. */
  let size = 0;

  function moveOn(connection: number): void {
    latest = connection;
    const decoder = new TextDecoder();
    const texts = [...bytes.map((each) => decoder.decode(each)), keys];
    earlier = earlier.union(new Set(texts.join("").split(END)));
    bytes = [];
    keys = "";
  }

  function remember(key: string): void {
    if (size + key.length > MAX_REMEMBERED) return;
    size += key.length;
    keys += key + END;
    if (keys.length < PIECE) return;
    bytes.push(encoder.encode(keys));
    keys = "";
  }

  return {
    isNew({ node, status, timestamp = "" }, connection) {
      if (connection !== latest) moveOn(connection);
      const key = node + UNIT + status + UNIT + timestamp;
      // Asked only where there is something: to look a key up takes longer than to make it.
      if (earlier.size > 0 && earlier.has(key)) return false;
      remember(key);
      return true;
    },
  };
}
