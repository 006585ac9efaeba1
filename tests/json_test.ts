import assert from "node:assert/strict";
import { encodeJson } from "../lib/json.ts";

Deno.test("encodeJson writes no half of a surrogate pair, which strict parsers refuse", () => {
  const text = "a\ud83e z \\ud83e \\\ud83e 🧠 \udde0";
  assert.equal(JSON.parse(encodeJson(text).join("")), "a\ufffd z \\ud83e \\\ufffd 🧠 \ufffd");
});
