import assert from "node:assert/strict";
import { createLog, describeThrown } from "../lib/log.ts";

const now = () => Date.UTC(2026, 0, 2);

Deno.test("createLog hides the secret wherever it stands, in any form", () => {
  const secret = 's3"cret/é';
  const lines: string[] = [];
  const log = createLog({
    level: "error",
    write: (line) => lines.push(line),
    secrets: [secret],
    now,
  });
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    btoa(String.fromCharCode(...new TextEncoder().encode(secret))),
  ];
  log.error(() => `a ${forms.join(" ")} z`);
  const [line = ""] = lines;
  assert.match(line, /^patb-cli-bridge 2026-01-02T00:00:00\.000Z error: a \*\*\* "\*\*\*" \*\*\* /);
  assert.doesNotMatch(line, /cret|s3/);
});

Deno.test("createLog logs what its level includes, and makes no other message", () => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = createLog({ level: "info", write, secrets: [], now });
  log.error(() => "one");
  log.info(() => "two");
  log.debug(() => assert.fail("made for nothing"));
  assert.deepEqual(lines.map((line) => line.split(" ").slice(2).join(" ")), [
    "error: one",
    "info: two",
  ]);
});

Deno.test("describeThrown tells the stack and the causes", () => {
  const thrown = new Error("outer", { cause: new TypeError("inner", { cause: "root" }) });
  assert.match(
    describeThrown(thrown),
    /^Error: outer\n[^]*caused by TypeError: inner\n[^]*caused by root$/,
  );
});
