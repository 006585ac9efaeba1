import assert from "node:assert/strict";
import * as z from "zod/mini";
import { lazily } from "../lib/lazily.ts";
import { parse } from "../lib/parse.ts";

const Schema = z.object({
  name: z.string(),
  ids: z.optional(z.array(z.union([z.string(), z.number()]))),
  kind: z.optional(z.literal(["a", "b"])),
  odd: z.optional(z.number().check(z.refine((value) => value % 2 === 1, "expected an odd number"))),
  part: z.optional(z.union([z.string(), z.array(z.object({ text: z.string() }))])),
});

Deno.test("parse returns what fits the schema", () => {
  assert.deepEqual(parse(Schema, { name: "n", more: 1 }, "invalidParams", "it"), { name: "n" });
});

Deno.test("parse names the member that does not fit, and what was expected", () => {
  const table: [unknown, string][] = [
    [undefined, "Invalid it: expected object"],
    [[], "Invalid it: expected object"],
    [{}, 'Invalid it: "name": expected string'],
    [{ name: 1 }, 'Invalid it: "name": expected string'],
    [{ name: "", ids: ["a", true] }, 'Invalid it: "ids.1": expected string or number'],
    [{ name: "", kind: "c" }, 'Invalid it: "kind": expected a or b'],
    [{ name: "", odd: 2 }, 'Invalid it: "odd": expected an odd number'],
    [{ name: "", part: 3 }, 'Invalid it: "part": expected string or array'],
    [{ name: "", part: [{}] }, 'Invalid it: "part.0.text": expected string'],
  ];
  for (const [value, message] of table) {
    assert.throws(() => parse(Schema, value, "invalidParams", "it"), {
      name: "BridgeError",
      message,
    });
  }
});

Deno.test("lazily makes a schema once, when it is used, also as a part of another", () => {
  let made = 0;
  const Name = lazily(() => {
    made++;
    return z.string();
  });
  const Person = z.object({ name: Name });
  assert.equal(made, 0);
  assert.deepEqual(parse(Person, { name: "n" }, "internal", "person"), { name: "n" });
  assert.throws(() => parse(Person, { name: 1 }, "internal", "person"), /"name": expected string/);
  assert.equal(made, 1);
});
