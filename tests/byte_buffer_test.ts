import assert from "node:assert/strict";
import { createByteBuffer } from "../lib/byte_buffer.ts";

Deno.test("createByteBuffer holds what is added, up to its limit, and is empty when it is taken", () => {
  const sizes = [1, 4095, 100, 95_804, 1_900_000, 1_000_000]; // small, copied, and in place
  const buffer = createByteBuffer(3_000_000);
  for (const size of sizes) buffer.append(new Uint8Array(size).fill(size % 251));
  assert.equal(buffer.length, 3_000_000);
  const kept = buffer.take((bytes) => sizes.map((size) => bytes.indexOf(size % 251)));
  const starts = sizes.map((_, index) =>
    sizes.slice(0, index).reduce((sum, size) => sum + size, 0)
  );
  assert.deepEqual(kept, starts);
  assert.equal(buffer.length, 0);
  buffer.append(new Uint8Array([7, 8]));
  buffer.clear();
  buffer.append(new Uint8Array([9]));
  assert.deepEqual(buffer.take((bytes) => [...bytes]), [9]);
});

Deno.test("createByteBuffer grows in place when it is large, and frees what it held", () => {
  const buffer = createByteBuffer(3_000_000);
  for (const [size, isInPlace] of [[1_000, false], [2_000_000, true]] as const) {
    buffer.append(new Uint8Array(size));
    const memory = buffer.take((bytes) => bytes.buffer);
    assert.equal(memory.resizable, isInPlace);
    if (isInPlace) assert.equal(memory.byteLength, 0);
  }
});

Deno.test("createByteBuffer gives away what it holds, and does not touch it again", () => {
  const buffer = createByteBuffer(3_000_000);
  for (const size of [3, 100_000, 2_000_000]) {
    buffer.append(new Uint8Array(size).fill(7));
    const given = buffer.release();
    assert.equal(buffer.length, 0);
    buffer.append(new Uint8Array(size).fill(8));
    buffer.clear();
    assert.ok(given.length === size && given.every((byte) => byte === 7));
    if (size > 1_000_000) assert.equal(given.buffer.byteLength, size);
  }
});
