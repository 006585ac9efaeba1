import assert from "node:assert/strict";
import { encodeJson, encodeText } from "../lib/json.ts";

Deno.test("encodeJson writes no half of a surrogate pair, which strict parsers refuse", () => {
  const text = "a\ud83e z \\ud83e \\\ud83e 🧠 \udde0";
  assert.equal(JSON.parse(encodeJson(text)), "a\ufffd z \\ud83e \\\ufffd 🧠 \ufffd");
});

Deno.test("encodeText gives what encodeJson does, in parts of whole characters", () => {
  for (
    const text of [
      "",
      "a",
      "🧠".repeat(100_000),
      `a${"🧠".repeat(100_000)}`,
      `"\n\ud83e`.repeat(99_999),
    ]
  ) {
    const parts = [encodeText(text)].flat();
    assert.ok(parts.join("") === encodeJson(text), text.slice(0, 9));
    assert.ok(parts.every((part) => part.isWellFormed()));
    assert.ok(parts.every((part) => part.length < 400_000));
  }
});
