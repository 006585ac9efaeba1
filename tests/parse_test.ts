import assert from "node:assert/strict";
import * as v from "valibot";
import { parse } from "../lib/parse.ts";

const Schema = v.object({
  name: v.string(),
  ids: v.optional(v.array(v.union([v.string(), v.number()]))),
  kind: v.optional(v.picklist(["a", "b"])),
  odd: v.optional(
    v.pipe(v.number(), v.check((value) => value % 2 === 1, "expected an odd number")),
  ),
  word: v.optional(v.union([v.literal("a"), v.string(), v.null()])),
  file: v.optional(v.union([v.object({ text: v.string() }), v.object({ blob: v.string() })])),
  part: v.optional(v.union([v.string(), v.array(v.object({ text: v.string() }))])),
});

Deno.test("parse returns what fits the schema", () => {
  assert.deepEqual(parse(Schema, { name: "n", more: 1 }, "invalidParams", "it"), { name: "n" });
});

Deno.test("parse names the member that does not fit, and what was expected", () => {
  const table: [unknown, string][] = [
    [undefined, "Invalid it: expected object"],
    [{}, 'Invalid it: "name" is missing'],
    [{ name: 1 }, 'Invalid it: "name": expected string'],
    [{ name: "", ids: ["a", true] }, 'Invalid it: "ids.1": expected string or number'],
    [{ name: "", kind: "c" }, 'Invalid it: "kind": expected "a" or "b"'],
    [{ name: "", odd: 2 }, 'Invalid it: "odd": expected an odd number'],
    [{ name: "", word: 7 }, 'Invalid it: "word": expected string or null'],
    [{ name: "", file: { blob: 7 } }, 'Invalid it: "file.blob": expected string'],
    [{ name: "", part: 3 }, 'Invalid it: "part": expected string or array'],
    [{ name: "", part: [{}] }, 'Invalid it: "part.0.text" is missing'],
  ];
  for (const [value, message] of table) {
    assert.throws(() => parse(Schema, value, "invalidParams", "it"), {
      name: "BridgeError",
      message,
    });
  }
});
