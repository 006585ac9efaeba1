import { createByteBuffer } from "../byte_buffer.ts";
import type { RunEvent } from "./events.ts";

/** How much of the progress shown is remembered, in bytes; what comes after that is not. */
const MAX_REMEMBERED = 16 * 1024 * 1024;
/** What stands between the parts of a key, and at its end (ECMA-48, US and RS). */
const [UNIT, END] = ["\u001f", "\u001e"];

/** What a run has shown. */
export interface Shown {
  /** Of events that came together on a connection, those that repeat no earlier connection's. */
  unseen(events: readonly RunEvent[], connection: number): RunEvent[];
}

/**
 * Remembers the progress of each connection: the same on a later one is a repetition.
 *
 * What the latest connection brought is kept as bytes, and keys are made of it only if another one
 * follows: an object or a string for each event would have to be moved about by the collector,
 * which takes a sixth of the time of a long run, and of a hundred runs at once.
 */
export function createShown(): Shown {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  /** What earlier connections brought, and its size in bytes. */
  let earlier = new Set<string>();
  let earlierSize = 0;
  let latest = 1;
  const broughtByLatest = createByteBuffer(MAX_REMEMBERED);

  function moveOn(connection: number): void {
    latest = connection;
    earlierSize += broughtByLatest.length;
    const brought = broughtByLatest.take((bytes) => decoder.decode(bytes));
    earlier = earlier.union(new Set(brought.split(END)));
  }

  function remember(keys: string): void {
    const bytes = encoder.encode(keys);
    const size = earlierSize + broughtByLatest.length + bytes.length;
    if (size <= MAX_REMEMBERED) broughtByLatest.append(bytes);
  }

  return {
    unseen(events, connection) {
      if (connection !== latest) moveOn(connection);
      let keys = "";
      const unseen = events.filter((event) => {
        if (event.event !== "progress") return true;
        const { node, status, timestamp = "" } = event.progress;
        const key = node + UNIT + status + UNIT + timestamp;
        // Asked only where there is something: to look a key up takes longer than to make it.
        if (earlier.size > 0 && earlier.has(key)) return false;
        keys += key + END;
        return true;
      });
      remember(keys);
      return unseen;
    },
  };
}
