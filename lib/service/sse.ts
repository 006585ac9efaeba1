import { createParser, type ParseError } from "eventsource-parser";

/** The longest frame that is read, in characters. */
export const MAX_FRAME = 256 * 1024 * 1024;

/** Bytes asked for at a time: as many as a pipe or socket usually has ready. */
const READ_SIZE = 64 * 1024;

/**
 * Reads the `data` of each frame of a `text/event-stream` body; those that came together are given
 * together: to hand them on one by one takes twice the time of all the rest. A frame that the
 * stream's end cuts off is dropped (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * Leaving the loop closes the body. Reading with a buffer of one's own makes half the garbage and
 * takes half the time, so the body must be a byte stream, as those of `fetch` are.
 *
 * @param inTime may fail a read that takes too long; no time counts in which nobody asks for more
 * @throws {ParseError} when a frame is longer than `limit` characters
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  inTime: <T>(read: Promise<T>) => Promise<T> = (read) => read,
  limit = MAX_FRAME,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let frames: string[] = [];
  let overflow: ParseError | undefined;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: (event) => frames.push(event.data),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") overflow = error;
    },
  });
  const reader = body.getReader({ mode: "byob" });
  let buffer = new Uint8Array(READ_SIZE);
  try {
    while (true) {
      const { done, value } = await inTime(reader.read(buffer));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      buffer = new Uint8Array(value.buffer);
      const ready = frames;
      frames = [];
      if (ready.length > 0) yield ready;
      if (overflow !== undefined) throw overflow;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a body that has failed has nothing left to close
  }
}
