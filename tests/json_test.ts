import assert from "node:assert/strict";
import { encodeJson, encodeText, wrapJson } from "../lib/json.ts";
import { piecesOf, wholeText } from "../lib/long_text.ts";
import { textOf } from "./support.ts";

Deno.test("encodeJson writes no half of a surrogate pair, which strict parsers refuse", () => {
  const text = "a\ud83e z \\ud83e \\\ud83e 🧠 \udde0";
  assert.equal(JSON.parse(encodeJson(text)), "a\ufffd z \\ud83e \\\ufffd 🧠 \ufffd");
});

Deno.test("encodeText gives what encodeJson does, in pieces of whole characters", () => {
  for (
    const text of [
      "",
      "a",
      "🧠".repeat(100_000),
      `a${"🧠".repeat(100_000)}`,
      `"\n\ud83e`.repeat(99_999),
      `${"a".repeat(99_999)}\ud83e`,
    ]
  ) {
    const json = encodeText(text);
    const pieces = typeof json === "string" ? [json] : [...json];
    assert.equal(typeof json, text.length > 1 ? "object" : "string");
    assert.ok(pieces.join("") === encodeJson(text), text.slice(0, 9));
    assert.ok(pieces.every((piece) => piece.isWellFormed()));
    assert.ok(pieces.every((piece) => piece.length < 100_000));
    assert.ok(wholeText(encodeText(textOf(text.split("")))) === encodeJson(text), "cut anywhere");
  }
});

Deno.test("wrapJson puts something around JSON, however it is held", () => {
  const json = wrapJson('{"a":', encodeText(textOf(["é", "🧠"])), "}");
  const again = wrapJson("[", json, "]");
  assert.equal(wrapJson("[", '"a"', "]"), '["a"]');
  for (let time = 0; time < 2; time++) assert.equal(wholeText(again), '[{"a":"é🧠"}]');
  assert.deepEqual([...piecesOf(wrapJson("1", "2", "3"))], ["123"]);
});
