import assert from "node:assert/strict";
import { chunksFrom, outputTo } from "../lib/file_bytes.ts";
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

Deno.test("outputTo writes all, however little is taken at once, into a file opened once", async () => {
  let opened = 0;
  let text = "";
  const output = outputTo(() => {
    opened++;
    return {
      write(bytes: Uint8Array) {
        text += new TextDecoder().decode(bytes.subarray(0, 2));
        return Promise.resolve(Math.min(2, bytes.length));
      },
    };
  });
  assert.equal(opened, 0);
  await output.write(new TextEncoder().encode("one, "));
  await output.write(new TextEncoder().encode("two"));
  assert.deepEqual([opened, text], [1, "one, two"]);
});

Deno.test("chunksFrom is patient with a file that does not wait", async () => {
  let reads = 0;
  const file = {
    async read(buffer: Uint8Array) {
      reads++;
      if (reads <= 2) throw await Promise.resolve(new Deno.errors.WouldBlock("later"));
      if (reads > 3) return null;
      buffer.set(new TextEncoder().encode("one\n"));
      return 4;
    },
  };
  assert.deepEqual(await Array.fromAsync(readLines(chunksFrom(file))), ["one"]);
});
