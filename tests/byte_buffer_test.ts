import assert from "node:assert/strict";
import { createByteBuffer } from "../lib/byte_buffer.ts";

Deno.test("createByteBuffer holds what is added, up to its limit, and is empty when it is taken", () => {
  const buffer = createByteBuffer(100_000);
  for (const size of [1, 4095, 100, 95_804]) {
    buffer.append(new Uint8Array(size).fill(size % 251));
  }
  assert.equal(buffer.length, 100_000);
  const ends = buffer.take((bytes) => [bytes.length, bytes[0], bytes[4095], bytes.at(-1)]);
  assert.deepEqual(ends, [100_000, 1, 4095 % 251, 95_804 % 251]);
  assert.equal(buffer.length, 0);
  buffer.append(new Uint8Array([7, 8]));
  buffer.clear();
  buffer.append(new Uint8Array([9]));
  assert.deepEqual(buffer.take((bytes) => [...bytes]), [9]);
});
