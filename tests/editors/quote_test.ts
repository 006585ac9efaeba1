import assert from "node:assert/strict";
import { lispString, luaString } from "../../lib/editors/quote.ts";
import { evaluateLisp, evaluateLua } from "./evaluate.ts";

/** Text, as Lua source, as Emacs Lisp source. */
const TABLE = [
  ["/opt/bridge", '"/opt/bridge"', '"/opt/bridge"'],
  ["C:\\new\\bridge.exe", '"C:\\\\new\\\\bridge.exe"', '"C:\\\\new\\\\bridge.exe"'],
  ["a \"b\" 'c' ", '"a \\"b\\" \'c\' "', '"a \\"b\\" \'c\' "'],
  ["é 漢 🧠", '"é 漢 🧠"', '"é 漢 🧠"'],
  ["one\ntwo\r", '"one\\ntwo\\013"', '"one\\ntwo\\u000d"'],
  ["\t1\x7f\u0085f", '"\\0091\\127\\194\\133f"', '"\\u00091\\u007f\\u0085f"'],
  ["%d ${x} #(a)?\\", '"%d ${x} #(a)?\\\\"', '"%d ${x} #(a)?\\\\"'],
] as const;

Deno.test("luaString and lispString escape what would end or bend a string", () => {
  for (const [text, lua, lisp] of TABLE) {
    assert.equal(luaString(text), lua);
    assert.equal(lispString(text), lisp);
  }
});

Deno.test("luaString is the same text to Lua", async () => {
  const read = await evaluateLua(`{ ${TABLE.map(([text]) => luaString(text)).join(", ")} }`);
  if (read !== undefined) assert.deepEqual(read, TABLE.map(([text]) => text));
});

Deno.test("lispString is the same text to Emacs", async () => {
  const read = await evaluateLisp(`'(${TABLE.map(([text]) => lispString(text)).join(" ")})`);
  if (read !== undefined) assert.deepEqual(read, TABLE.map(([text]) => text));
});
