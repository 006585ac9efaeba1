import assert from "node:assert/strict";
import { linux } from "./pseudo_terminal.ts";
import { drawSession, PICTURE, withoutTime } from "./terminal_picture.ts";

Deno.test("the README's picture of a terminal is what the terminal shows", linux, async () => {
  const kept = await Deno.readTextFile(PICTURE);
  assert.equal(withoutTime(await drawSession()), withoutTime(kept), "deno task picture mends it");
});
