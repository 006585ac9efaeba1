import { createByteBuffer } from "./byte_buffer.ts";
import { createLineWriter, type Line } from "./jsonl.ts";

/**
 * How much is appended at once, in bytes. Each time costs the thread that relays near a millisecond
 * on a busy machine, however little it is.
 */
const BLOCK = 256 * 1024;

/** The file of one session, to which lines are added. */
export interface SessionFile {
  /** Adds lines; they are appended with others that come soon, or by a flush. */
  add(...lines: Line[]): void;
  /** Resolves when all lines so far are appended. */
  flush(): Promise<void>;
}

/** Makes lines one file's bytes, which `append` puts at its end, in the order of its calls. */
export function createSessionFile(
  append: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): SessionFile {
  const held = createByteBuffer(BLOCK);
  let appended: Promise<void> = Promise.resolve();
  let isFlushed = true;

  function appendHeld(): Promise<void> {
    if (held.length > 0) {
      const bytes = held.take((bytes) => bytes.slice());
      appended = append(bytes);
    }
    return appended;
  }

  const writer = createLineWriter({
    async write(bytes) {
      for (let start = 0; start < bytes.length;) {
        const part = bytes.subarray(start, start + BLOCK - held.length);
        held.append(part);
        start += part.length;
        if (held.length === BLOCK) await appendHeld();
      }
    },
    close: () => Promise.resolve(),
  });

  return {
    add(...lines) {
      // A newline before them, too: a line that was torn off before them does not spoil the first.
      if (isFlushed) writer.write("");
      isFlushed = false;
      writer.write(...lines);
    },
    async flush() {
      isFlushed = true;
      await writer.flush();
      await appendHeld();
    },
  };
}
