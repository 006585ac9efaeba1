import assert from "node:assert/strict";
import { createLineBlock } from "../lib/line_block.ts";
import { textOf } from "./support.ts";

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

Deno.test("createLineBlock gives whole lines, after an empty one", () => {
  assert.equal(decode(createLineBlock().encode()), "\n");
  const block = createLineBlock();
  block.add("1");
  block.add(textOf(["2", "é", "🧠"]));
  block.add("3");
  assert.equal(decode(block.encode()), "\n1\n2é🧠\n3\n");
});

Deno.test("createLineBlock takes long lines and many, in their order", () => {
  const block = createLineBlock();
  const [short, long] = ["é🧠x".repeat(100), "“y” ".repeat(100_000)];
  const lines = [...Array(300).fill(short), long, short, long + long, short];
  let size = block.size;
  for (const line of lines) {
    block.add(textOf([line, "", "."]));
    assert.ok(block.size > size);
    size = block.size;
  }
  assert.equal(decode(block.encode()), `\n${lines.map((line) => `${line}.\n`).join("")}`);
});
