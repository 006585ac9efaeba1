import assert from "node:assert/strict";
import { createSpinner } from "../../lib/chat/spinner.ts";
import { createFakeClock } from "../fake_clock.ts";

Deno.test("createSpinner writes over its line until it is stopped, and leaves no timer", async () => {
  const clock = createFakeClock();
  const written: string[] = [];
  const spinner = createSpinner(clock, () => 40, (text) => written.push(text));
  spinner.show("one\nline");
  await clock.advance(100);
  spinner.show("x".repeat(100));
  await clock.advance(1000);
  spinner.stop();
  spinner.stop();
  await clock.advance(1000);
  assert.equal(clock.timers, 0);
  assert.deepEqual(written.slice(0, 2), [
    "\r\u001b[K⠋ 0.0 s  one line",
    "\r\u001b[K⠙ 0.1 s  one line",
  ]);
  assert.match(written.at(-2) ?? "", /1\.1 s {2}x{25}…$/);
  assert.deepEqual(written.slice(-1), ["\r\u001b[K"]);
  assert.equal(written.length, 13);
});
