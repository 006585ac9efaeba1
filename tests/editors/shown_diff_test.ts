import assert from "node:assert/strict";
// @ts-types="../../lib/declarations/colors.d.ts"
import { green } from "@std/fmt/colors";
import { stripVTControlCharacters } from "node:util";
import { maskSecrets, showDiff } from "../../lib/editors/shown_diff.ts";

Deno.test("showDiff is a unified diff, coloured when that is wanted", () => {
  const before = '{\r\n  "a": 1\r\n}\r\n';
  const after = '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n';
  const lines = ["--- f", "+++ f", "@@ -1,3 +1,4 @@", " {", '-  "a": 1', '+  "a": 1,', '+  "b": 2'];
  assert.equal(showDiff("f", before, after, false), [...lines, " }", ""].join("\n"));
  const colored = showDiff("f", before, after, true);
  assert.ok(colored.includes(`${green('+  "b": 2')}\n`)); // which depends on NO_COLOR
  assert.equal(stripVTControlCharacters(colored), showDiff("f", before, after, false));
});

Deno.test("showDiff of a text that was empty shows all that is new", () => {
  assert.equal(showDiff("f", "", "{}\n", false), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+{}\n");
});

Deno.test("maskSecrets masks what stands under the name of a secret, in comments too", () => {
  const table = [
    ['{ "PATBA_API_KEY": "k-1" }', '{ "PATBA_API_KEY": "***" }'],
    ['{ "access_token" :\n "t\\"1", "n": 1 }', '{ "access_token" :\n "***", "n": 1 }'],
    [
      '{ "Secrets": { "a": ["s", 1, {"b": null}] } }',
      '{ "Secrets": { "a": ["***", "***", {"b": "***"}] } }',
    ],
    ['{ "p\\u0061ssword": "p" }', '{ "p\\u0061ssword": "***" }'],
    ['{ "name": "token" }', '{ "name": "token" }'],
    ['{ // "MY_KEY": "k-1", "x": 1\n}', '{ // "MY_KEY": "***", "x": 1\n}'],
    ["{ /* KEY=k-1 */ }", '{ /* KEY="***" */ }'],
    ["", ""],
  ] as const;
  for (const [text, masked] of table) assert.equal(maskSecrets(text), masked);
});
