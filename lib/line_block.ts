// @ts-types="./declarations/concat.d.ts"
import { concat } from "@std/bytes/concat";
import type { Text } from "./long_text.ts";

/** How much is encoded at once, in characters: bytes that wait are no work to the collector. */
const PIECE = 64 * 1024;
const LINE_FEED = 10;

/** Whole lines that are to be written together. */
export interface LineBlock {
  /** About how large it is, in bytes. */
  readonly size: number;
  /** Adds a line without its end; a long one in pieces of whole characters. */
  add(line: Text): void;
  /** The lines as UTF-8, each with its end. An empty one stands before them all. */
  encode(): Uint8Array<ArrayBuffer>;
}

/**
 * Makes a block without lines. It begins with a newline, so that a line which was torn off before
 * it does not spoil the first.
 */
export function createLineBlock(): LineBlock {
  const encoder = new TextEncoder();
  const pieces = [new Uint8Array([LINE_FEED])];
  let length = 1;
  /** The parts of lines that are not encoded yet, and their characters. */
  let parts: string[] = [];
  let size = 0;

  function encodeParts(): void {
    const piece = encoder.encode(parts.join(""));
    pieces.push(piece);
    length += piece.length;
    parts = [];
    size = 0;
  }

  function addPart(part: string): void {
    parts.push(part);
    size += part.length;
    if (size > PIECE) encodeParts();
  }

  return {
    get size() {
      return length + size;
    },
    add(line) {
      for (const piece of typeof line === "string" ? [line] : line) addPart(piece);
      addPart("\n");
    },
    encode() {
      encodeParts();
      return concat(pieces);
    },
  };
}
