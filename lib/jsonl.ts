import { createByteBuffer } from "./byte_buffer.ts";
import { BridgeError } from "./errors.ts";
import type { Output } from "./file_bytes.ts";
import { type Text, wholeText } from "./long_text.ts";

/** The longest line that is read, in bytes. */
export const MAX_LINE = 64 * 1024 * 1024;

const LINE_FEED = 10;
/** How much of a long line is encoded at once, in bytes. */
const PIECE = 256 * 1024;

/**
 * Decodes bytes into the lines of a JSON Lines stream (https://jsonlines.org), in linear time.
 *
 * Lines end at LF or CRLF, wherever the chunks are cut; a leading byte order mark and blank lines
 * are left out; a last line without a newline counts. A line that is not UTF-8, or longer than
 * `limit` bytes, comes as a `BridgeError` in its place, and reading goes on with the next line. A
 * chunk must be good only until the next one is asked for.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array<ArrayBuffer>>,
  limit = MAX_LINE,
): AsyncGenerator<string | BridgeError> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The line begun in earlier chunks is copied here.
  const begun = createByteBuffer(limit);
  let skipping = false;

  function take(rest: Uint8Array): string | BridgeError {
    if (begun.length === 0) return decode(rest);
    begun.append(rest);
    return begun.take(decode);
  }

  function decode(bytes: Uint8Array): string | BridgeError {
    try {
      return decoder.decode(bytes).trim();
    } catch (cause) {
      return new BridgeError("parse", "Parse error: the line is not UTF-8", {
        cause,
      });
    }
  }

  for await (const chunk of input) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      start = end < 0 ? chunk.length : end + 1;
      if (!skipping && begun.length + part.length > limit) {
        begun.clear();
        skipping = true;
        yield new BridgeError(
          "parse",
          `Parse error: the line is longer than ${limit} bytes`,
        );
      }
      if (end < 0) {
        if (!skipping) begun.append(part);
      } else if (skipping) {
        skipping = false;
      } else {
        const line = take(part);
        if (line !== "") yield line;
      }
    }
  }
  const last = skipping ? "" : take(new Uint8Array());
  if (last !== "") yield last;
}

/** Writes lines to one output, in order and whole. */
export interface LineWriter {
  /**
   * Queues lines without their ends, which stay together. The pieces of a long text have whole
   * characters.
   *
   * Resolves when there is room for more, so that whoever awaits it goes at the reader's pace.
   * Rejects once the output has failed.
   */
  write(...lines: Text[]): Promise<void>;
  /** Resolves when all that was queued is written, or cannot be any more. */
  flush(): Promise<void>;
  /** Writes what was queued, and closes the output. */
  close(): Promise<void>;
  /** How many characters wait to be read by the other side. */
  readonly unread: number;
  /** Whether there is no room for more, so that what `write` returned is worth waiting for. */
  readonly full: boolean;
  /** Rejects at the first write that fails, as when the reader has gone; never resolves. */
  readonly failed: Promise<never>;
}

/** Line separators of Unicode: legal in JSON, but some readers split lines at them. */
const SEPARATORS = /[\u0085\u2028\u2029]/g;

/**
 * Makes the one writer of an output: lines that are ready together go out in one write, one write
 * at a time. Up to `room` characters may wait before {@linkcode LineWriter.write} makes its
 * callers wait.
 */
export function createLineWriter(
  output: Output,
  room = 64 * 1024,
): LineWriter {
  const encoder = new TextEncoder();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // whoever needs to know asks `failed`; nobody has to
  /** What follows a write that failed would be garbled. */
  let broken = false;
  /** The parts of lines that are not encoded yet, and their characters. */
  let parts: string[] = [];
  let size = 0;
  /** What is to be written, in pieces: as bytes it is out of the collector's way. */
  const pieces: { bytes: Iterable<Uint8Array<ArrayBuffer>>; size: number }[] = [];
  let waiting = 0;
  let emptied: Promise<void> | undefined;

  function encode(): void {
    if (size === 0) return;
    pieces.push({ bytes: [encoder.encode(escaped(parts.join("")))], size });
    parts = [];
    size = 0;
  }

  function add(line: Text): void {
    const length = line.length + 1;
    waiting += length;
    if (length > room) {
      encode();
      pieces.push({ bytes: bytesOfLong(line), size: length });
    } else {
      parts.push(wholeText(line), "\n");
      size += length;
    }
  }

  async function empty(): Promise<void> {
    await undefined; // what is queued in this tick goes into the same write
    try {
      while (waiting > 0) {
        if (pieces.length === 0) encode();
        const piece = pieces.shift();
        if (piece === undefined) break;
        for (const bytes of piece.bytes) await output.write(bytes);
        waiting -= piece.size;
      }
    } catch (cause) {
      broken = true;
      parts = [];
      size = 0;
      pieces.length = 0;
      waiting = 0;
      failed.reject(cause);
      await failed.promise;
    } finally {
      emptied = undefined;
    }
  }

  async function flush(): Promise<void> {
    while (emptied !== undefined) await emptied.catch(() => {});
  }

  return {
    failed: failed.promise,
    get unread() {
      return waiting;
    },
    get full() {
      return waiting > room;
    },
    write(...added) {
      if (broken) return failed.promise;
      for (const line of added) add(line);
      if (size >= room) encode();
      emptied ??= empty();
      emptied.catch(() => {}); // the failure stays known in `failed`
      return waiting <= room ? Promise.resolve() : emptied;
    },
    flush,
    async close() {
      await flush();
      await output.close().catch(() => {}); // an output that has failed is closed
    },
  };
}

/**
 * The bytes of a long line, as they are asked for: it never stands in memory as bytes, too. A piece
 * is good until the next one is asked for.
 */
function* bytesOfLong(line: Text): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(PIECE + 1); // one is for the end of the line
  let length = 0;
  for (const piece of typeof line === "string" ? [line] : line) {
    const text = escaped(piece);
    for (let start = 0; start < text.length;) {
      const { read, written } = encoder.encodeInto(
        text.slice(start),
        buffer.subarray(length, PIECE),
      );
      start += read;
      length += written;
      if (start === text.length) continue;
      yield buffer.subarray(0, length); // there is no room for the next character
      length = 0;
    }
  }
  buffer[length++] = LINE_FEED;
  yield buffer.subarray(0, length);
}

function escaped(text: string): string {
  return text.replace(SEPARATORS, escape);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
