import assert from "node:assert/strict";
import { chunksFrom } from "../lib/file_bytes.ts";
import { readLines } from "../lib/jsonl.ts";

Deno.test("chunksFrom gives what a file has, in order, and ends where it does", async () => {
  const pieces = ["one ", "two\n", "é"].map((text) => new TextEncoder().encode(text));
  const file = {
    read(buffer: Uint8Array) {
      const piece = pieces.shift();
      if (piece !== undefined) buffer.set(piece);
      return Promise.resolve(piece === undefined ? null : piece.length);
    },
  };
  // A chunk is overwritten by the next one, so lines are cut here.
  assert.deepEqual(await Array.fromAsync(readLines(chunksFrom(file))), ["one two", "é"]);
});
