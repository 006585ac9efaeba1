import assert from "node:assert/strict";
import * as z from "zod/mini";
import { orElse, orNothing } from "../lib/or_else.ts";

Deno.test("orElse takes its value for what is missing or does not fit, and for nothing else", () => {
  const schema = z.object({
    name: orElse(z.string(), "none"),
    file: orElse(z.nullable(z.string()), null),
  });
  const table: [unknown, z.infer<typeof schema>][] = [
    [{ name: "", file: "f" }, { name: "", file: "f" }],
    [{ file: null }, { name: "none", file: null }],
    [{ name: 1, file: {} }, { name: "none", file: null }],
    [{ name: undefined }, { name: "none", file: null }],
  ];
  for (const [value, parsed] of table) assert.deepEqual(z.parse(schema, value), parsed);
});

Deno.test("orNothing takes what does not fit for missing, at each level by itself", () => {
  const inner = z.object({ name: orNothing(z.string()), size: z.number() });
  const schema = z.object({ inner: orNothing(inner), other: orNothing(z.array(z.string())) });
  const table: [unknown, z.infer<typeof schema>][] = [
    [{}, {}],
    [{ inner: { size: 1 }, other: [] }, { inner: { size: 1 }, other: [] }],
    [{ inner: { name: 1, size: 1 }, other: [1] }, {
      inner: { name: undefined, size: 1 },
      other: undefined,
    }],
    [{ inner: { name: "n" }, other: null }, { inner: undefined, other: undefined }],
  ];
  for (const [value, parsed] of table) assert.deepEqual(z.parse(schema, value), parsed);
});
