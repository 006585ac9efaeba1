import assert from "node:assert/strict";
import { createSessionFile } from "../lib/session_file.ts";

function open() {
  const appended: string[] = [];
  const file = createSessionFile((bytes) => {
    appended.push(new TextDecoder().decode(bytes));
    return Promise.resolve();
  });
  return { file, appended };
}

Deno.test("createSessionFile appends lines together, and the rest when it is flushed", async () => {
  const { file, appended } = open();
  file.add("1", ["2", "é"]);
  file.add("3");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(appended, []);
  await file.flush();
  assert.deepEqual(appended, ["\n1\n2é\n3\n"]);
  await file.flush();
  file.add("4");
  await file.flush();
  assert.deepEqual(appended.slice(1), ["\n4\n"]);
});

Deno.test("createSessionFile appends what is much in blocks, before it is flushed", async () => {
  const { file, appended } = open();
  const line = "x".repeat(999);
  for (let i = 0; i < 600; i++) file.add(line);
  file.add(["y".repeat(400_000)], "z");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(appended.map(({ length }) => length), [262_144, 262_144, 262_144]);
  await file.flush();
  assert.equal(appended.join(""), `\n${`${line}\n`.repeat(600)}${"y".repeat(400_000)}\nz\n`);
});
