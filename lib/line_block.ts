import { type Text, wholeText } from "./long_text.ts";

/** How much is encoded at once, in characters: lines that wait as bytes are no work to the collector. */
const PIECE = 64 * 1024;
/** The most bytes of UTF-8 that a character of a string may take. */
const MAX_BYTES = 3;
const LINE_FEED = 10;

/** Whole lines that are to be written together. */
export interface LineBlock {
  /** About how large it is, in bytes. */
  readonly size: number;
  /** Adds a line without its end; a long one in pieces of whole characters. */
  add(line: Text): void;
  /** The lines as UTF-8, each with its end; before them all stands an empty one. */
  encode(): Uint8Array<ArrayBuffer>;
}

/**
 * Makes a block without lines. It begins with a newline, so that a line which was torn off before
 * it does not spoil the first.
 */
export function createLineBlock(): LineBlock {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array([LINE_FEED]);
  let length = 1;
  /** The parts of lines that are not encoded yet, and their characters. */
  let parts: string[] = [];
  let size = 0;

  function makeRoom(characters: number): void {
    const needed = length + characters * MAX_BYTES;
    if (needed <= bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  }

  function put(text: string): void {
    makeRoom(text.length);
    length += encoder.encodeInto(text, bytes.subarray(length)).written;
  }

  function putParts(): void {
    put(parts.join(""));
    parts = [];
    size = 0;
  }

  return {
    get size() {
      return length + size;
    },
    add(line) {
      if (typeof line !== "string" && line.length > PIECE) { // it need not stand in memory whole
        putParts();
        for (const piece of line) put(piece);
        line = "";
      }
      parts.push(wholeText(line), "\n");
      size += line.length + 1;
      if (size > PIECE) putParts();
    },
    encode() {
      putParts();
      return bytes.subarray(0, length);
    },
  };
}
