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

Deno.test("maskSecrets leaves no text but keys and the agent's own command", () => {
  const own = (entry: string) => `{ "agent_servers": { "The Brain": { ${entry} } } }`;
  const table = [
    ['{ "PATBA_API_KEY": "k-1" }', '{ "PATBA_API_KEY": "***" }'],
    ['{ "Authorization" :\n "t\\"1", "n": 1 }', '{ "Authorization" :\n "***", "n": 1 }'],
    ['{ "a": ["s", 1, {"b": null}] }', '{ "a": ["***", 1, {"b": null}] }'],
    [own('"command": "/a b", "args": ["x"]'), own('"command": "/a b", "args": ["x"]')],
    [own('"args": ["--api-key", "k-1", "y"]'), own('"args": ["--api-key", "***", "y"]')],
    [own('"env": { "A": "b" }'), own('"env": { "A": "***" }')],
    ['{ // "MY_KEY": "k-1"\n}', "{ // …\n}"],
    ["{ /* KEY=k-1\n  KEY k-2 */ }", "{ /* …\n  …*/ }"],
    [own('"args": ["A_KEY=k-1", "y"]'), own('"args": ["***", "y"]')],
    ["", ""],
  ];
  for (const [text = "", masked] of table) assert.equal(maskSecrets(text), masked);
});
