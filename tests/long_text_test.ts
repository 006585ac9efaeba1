import assert from "node:assert/strict";
import { longText, piecesOf, wholeText } from "../lib/long_text.ts";

Deno.test("longText gives its pieces as often as they are asked for", () => {
  let made = 0;
  const text = longText(2, function* () {
    made++;
    yield* ["a", "b"];
  });
  assert.equal(made, 0);
  assert.equal(wholeText(text), "ab");
  assert.deepEqual([...piecesOf(text)], ["a", "b"]);
  assert.equal(made, 2);
});

Deno.test("piecesOf cuts a string into all that it has", () => {
  for (const length of [0, 1, 16_384, 100_000]) {
    const text = "🧠".repeat(length);
    const pieces = [...piecesOf(text)];
    assert.ok(pieces.join("") === text);
    assert.ok(pieces.every((piece) => piece.length <= 16_384));
  }
});
