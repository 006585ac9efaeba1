import assert from "node:assert/strict";
import { chunksFrom } from "../lib/file_stream.ts";

Deno.test("chunksFrom gives what a file has, in order, and ends where it does", async () => {
  const pieces = ["one ", "two", " é"].map((text) => new TextEncoder().encode(text));
  let text = "";
  const decoder = new TextDecoder();
  const file = {
    read(buffer: Uint8Array) {
      const piece = pieces.shift();
      if (piece !== undefined) buffer.set(piece);
      return Promise.resolve(piece === undefined ? null : piece.length);
    },
  };
  for await (const chunk of chunksFrom(file)) text += decoder.decode(chunk, { stream: true });
  assert.equal(text, "one two é");
});
