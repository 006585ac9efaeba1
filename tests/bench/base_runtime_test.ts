import assert from "node:assert/strict";
import { unzippedSize } from "./base_runtime.ts";

Deno.test("unzippedSize reads the archive's directory, wherever the archive begins", () => {
  const archive = new Uint8Array(200);
  const view = new DataView(archive.buffer);
  view.setUint32(100, 0x504b0102);
  view.setUint32(100 + 24, 92_161_704, true);
  assert.equal(unzippedSize(archive), 92_161_704);
  assert.equal(unzippedSize(archive.subarray(50)), 92_161_704);
  assert.equal(unzippedSize(new Uint8Array(10)), undefined);
});
