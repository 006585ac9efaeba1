import { setImmediate } from "node:timers";
import type { Clock } from "../lib/clock.ts";

/** A clock that goes only when it is told to. */
export interface FakeClock extends Clock {
  /** Lets time pass, timer by timer, with all that they set off. */
  advance(milliseconds: number): Promise<void>;
  /** Lets time pass, from timer to timer, until the promise has settled; returns what it gives. */
  play<T>(promise: Promise<T>): Promise<T>;
  /** How many timers are set. */
  readonly timers: number;
}

/** Makes a clock at the given time, in milliseconds since the epoch. */
export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let time = start;
  const timers = new Map<symbol, { at: number; callback: () => void }>();

  /** Lets all that is ready run: what is left afterwards waits for time, or for ever. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Runs the next timer, if it is due by then. */
  function runNext(until: number): boolean {
    const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
    if (next === undefined || next[1].at > until) return false;
    const [id, { at, callback }] = next;
    timers.delete(id);
    time = Math.max(time, at);
    callback();
    return true;
  }

  return {
    now: () => time,
    get timers() {
      return timers.size;
    },
    schedule(milliseconds, callback) {
      const id = Symbol();
      timers.set(id, { at: time + milliseconds, callback });
      return () => timers.delete(id);
    },
    async advance(milliseconds) {
      const until = time + milliseconds;
      await settle();
      while (runNext(until)) await settle();
      time = until;
    },
    async play(promise) {
      let settled = false;
      promise.then(() => settled = true, () => settled = true);
      await settle();
      while (!settled) {
        if (!runNext(Infinity)) throw new Error("nothing is left that could settle the promise");
        await settle();
      }
      return await promise;
    },
  };
}
