import assert from "node:assert/strict";
import { BridgeError, CODES, type Fault, toRpcError } from "../lib/errors.ts";

Deno.test("toRpcError gives a BridgeError's code and message", () => {
  for (const [fault, code] of Object.entries(CODES)) {
    const error = new BridgeError(fault as Fault, "Cannot do it");
    assert.deepEqual(toRpcError(error), { code, message: "Cannot do it" });
  }
});

Deno.test("toRpcError keeps a bug's details off the wire", () => {
  for (const thrown of [new Error("secret"), "secret", undefined, { message: "secret" }]) {
    const { code, message } = toRpcError(thrown);
    assert.equal(code, -32603);
    assert.doesNotMatch(message, /secret/);
  }
});

Deno.test("BridgeError makes its message fit one line of 300 characters", () => {
  const { message } = new BridgeError("internal", `a\u001b[31m\n\0b${"x".repeat(1000)}`);
  assert.match(message, /^a bx+…$/);
  assert.equal(message.length, 300);
  const cut = new BridgeError("internal", `${"x".repeat(298)}🧠🧠`).message;
  assert.equal(cut, `${"x".repeat(298)}…`);
});
