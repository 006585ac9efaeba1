import assert from "node:assert/strict";
import { createLog, describeThrown } from "../lib/log.ts";

Deno.test("createLog hides the secret wherever it stands", () => {
  const lines: string[] = [];
  createLog((line) => lines.push(line), "s3cret").error("a s3cret in s3cret.test");
  assert.deepEqual(lines, ["patb-cli-bridge: a *** in ***.test\n"]);
});

Deno.test("describeThrown tells the stack and the causes", () => {
  const thrown = new Error("outer", { cause: new TypeError("inner", { cause: "root" }) });
  assert.match(
    describeThrown(thrown),
    /^Error: outer\n[^]*caused by TypeError: inner\n[^]*caused by root$/,
  );
});
