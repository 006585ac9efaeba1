import assert from "node:assert/strict";
import { sleep, within } from "../lib/clock.ts";
import { createFakeClock } from "./fake_clock.ts";

Deno.test("sleep takes its time, and ends at once with its signal", async () => {
  const clock = createFakeClock();
  const start = clock.now();
  await clock.play(sleep(clock, 5000, new AbortController().signal));
  assert.equal(clock.now() - start, 5000);

  const controller = new AbortController();
  const sleeping = sleep(clock, 5000, controller.signal);
  controller.abort("reason");
  await assert.rejects(sleeping, (thrown) => thrown === "reason");
  await assert.rejects(sleep(clock, 5000, controller.signal), (thrown) => thrown === "reason");
  assert.equal(clock.timers, 0);
});

Deno.test("within settles as the promise does, or says that it is late", async () => {
  const clock = createFakeClock();
  const late = () => new Error("late");
  assert.equal(await within(clock, 10, Promise.resolve(7), late), 7);
  await assert.rejects(within(clock, 10, Promise.reject(new Error("failed")), late), /failed/);
  assert.equal(clock.timers, 0);
  await assert.rejects(clock.play(within(clock, 10, new Promise(() => {}), late)), /late/);
});
