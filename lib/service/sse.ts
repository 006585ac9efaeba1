import { createParser, ParseError } from "eventsource-parser";
import { createByteBuffer } from "../byte_buffer.ts";

/** The longest line that is read, in bytes. */
export const MAX_FRAME = 256 * 1024 * 1024;

/** Bytes asked for at a time: as many as a pipe or socket usually has ready. */
const READ_SIZE = 64 * 1024;
/** What a line is long from, in bytes; one that comes in one read is not. */
const LONG_LINE = READ_SIZE;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** How frames are read. */
export interface ReadOptions {
  /** May fail a read that takes too long; no time counts in which nobody asks for more. */
  inTime?: <T>(read: Promise<T>) => Promise<T>;
  /** Decodes a long line, whose bytes are its own from then on. */
  decodeLong?: (line: Uint8Array) => string;
  /** The longest line, in bytes; a frame of several may have as many characters once decoded. */
  limit?: number;
}

/**
 * What came together, read when it is called: once, and before more is asked for. Of many streams
 * that have something at once, only one is then held as objects, which is most of the collector's
 * work.
 */
export type Batch<T> = () => T[];

/**
 * Reads the `data` of each frame of a `text/event-stream` body; those that came together are given
 * together: to hand them on one by one takes twice the time of all the rest. A frame that the
 * stream's end cuts off is dropped (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * Leaving the loop closes the body. Reading with a buffer of one's own makes half the garbage and
 * takes half the time, so the body must be a byte stream, as those of `fetch` are.
 *
 * @throws {ParseError} when a line is longer than `limit` bytes, or a frame than as many characters
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { inTime = (read) => read, decodeLong, limit = MAX_FRAME }: ReadOptions = {},
): AsyncGenerator<Batch<string>> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // the parser knows the first one
  const decode = (lines: Uint8Array) => decoder.decode(lines);
  // A line that is not whole yet is kept as bytes: as text it would take twice the memory, and half
  // as much again to be joined.
  const begun = createByteBuffer(limit);
  /**
   * What a batch brings; it is given out as a new list. To give this one out and begin another costs
   * more: a list that waits for its batch grows old, and what is old keeps its frames alive long
   * after it is dropped.
   */
  const frames: string[] = [];
  /** What ends the stream, when what came before it is given out. */
  let failure: unknown;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: (event) => frames.push(event.data),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") failure = error;
    },
  });

  function keep(bytes: Uint8Array<ArrayBuffer>): void {
    if (begun.length + bytes.length > limit) failure = tooLong(limit);
    else begun.append(bytes);
  }

  /** Parses the lines that are whole, the first of which may have begun earlier; keeps the rest. */
  function feed(bytes: Uint8Array<ArrayBuffer>): void {
    let first = 0;
    if (begun.length > 0) {
      first = endOfFirstLine(bytes);
      if (first === 0) return keep(bytes);
      keep(bytes.subarray(0, first));
      if (failure !== undefined) return;
      const isLong = decodeLong !== undefined && begun.length >= LONG_LINE;
      parser.feed(isLong ? decodeLong(begun.release()) : begun.take(decode));
      if (failure !== undefined) return;
    }
    const end = endOfLines(bytes);
    if (end > first) parser.feed(decode(bytes.subarray(first, end)));
    keep(bytes.subarray(end));
  }

  const reader = body.getReader({ mode: "byob" });
  let buffer = new Uint8Array(READ_SIZE);
  try {
    while (true) {
      const { done, value } = await inTime(reader.read(buffer));
      if (done) return;
      let isRead = false;
      yield () => {
        isRead = true;
        try {
          feed(value);
        } catch (thrown) {
          failure = thrown;
        }
        return frames.splice(0);
      };
      if (!isRead) throw new Error("what came was not read");
      if (failure !== undefined) throw failure;
      buffer = new Uint8Array(value.buffer);
    }
  } finally {
    await reader.cancel().catch(() => {}); // a body that has failed has nothing left to close
  }
}

/** Where the first line ends; 0 where it does not. Lines end with LF, CR or both. */
function endOfFirstLine(bytes: Uint8Array): number {
  const end = bytes.indexOf(LINE_FEED) + 1;
  const upTo = end === 0 ? bytes : bytes.subarray(0, end);
  return upTo.indexOf(CARRIAGE_RETURN) + 1 || end;
}

/** Where the last line that is whole ends; 0 where none is. */
function endOfLines(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  return end + bytes.subarray(end).lastIndexOf(CARRIAGE_RETURN) + 1;
}

function tooLong(limit: number): ParseError {
  return new ParseError(`a line has more than ${limit} bytes`, {
    type: "max-buffer-size-exceeded",
  });
}
