import { type Clock, sleep } from "../clock.ts";
import type { Log } from "../log.ts";
import { backoff } from "./backoff.ts";
import type { ServiceClient } from "./client.ts";
import type { Progress, RunEvent } from "./events.ts";
import { gaveUp, lost, ServiceFailure } from "./failures.ts";
import type { Limits } from "./limits.ts";

/** What following a run needs. */
export interface FollowOptions {
  client: ServiceClient;
  /** The service's name in messages. */
  hostName: string;
  clock: Clock;
  log: Log;
  /** A number from 0 up to 1. */
  random: () => number;
  limits: Limits;
}

/** A connection that lived so long, in milliseconds, was a good one, though it brought nothing. */
const GOOD_LIFE = 5_000;
/** How long nothing may be heard of a run after the service was away, in milliseconds. */
const LOST_AFTER = 180_000;
/** How much of the progress shown is remembered, in characters. */
const MAX_REMEMBERED = 16 * 1024 * 1024;

/**
 * The events of a run, up to its `complete`, over as many connections as it takes: only `complete`
 * proves that a run is over, and connecting again to the same run is always right. Progress that
 * the service repeats on a later connection is left out.
 *
 * @throws {ServiceFailure} what does not pass, or when attempts brought nothing for too long, or
 * when the service was away and seems to have lost the run
 */
export async function* followRun(
  { client, hostName, clock, log, random, limits }: FollowOptions,
  threadId: string,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const end = new AbortController(); // its reason says why the run was given up
  const either = AbortSignal.any([signal, end.signal]);
  const shown = createShown();
  /** Attempts in a row that brought nothing. */
  let failures = 0;
  let failure = new ServiceFailure("Cannot follow the run");
  /** Runs from the first of those attempts on. */
  const giveUp = createTimer(
    clock,
    limits.reattach,
    () => end.abort(gaveUp(failure, limits.reattach)),
  );
  /** The service was unreachable, so it may have restarted since the run was last heard of. */
  let wasAway = false;
  /** Runs from the time it is back. */
  const loseHope = createTimer(clock, LOST_AFTER, () => end.abort(lost(hostName, LOST_AFTER)));
  /** Tells that the present connection is a good one. */
  const goodLife = createTimer(clock, GOOD_LIFE, connectionIsGood);

  function connectionIsGood(): void {
    failures = 0;
    giveUp.stop();
  }

  function opened(): void {
    goodLife.start();
    if (wasAway) loseHope.start();
  }

  function heard(): void {
    connectionIsGood();
    wasAway = false;
    loseHope.stop();
  }

  try {
    while (true) {
      try {
        for await (const event of client.connect(threadId, runId, either, opened)) {
          if (event.event !== "connected") heard();
          if (event.event === "progress" && !shown.isNew(event.progress)) continue;
          yield event;
          if (event.event === "complete") return;
        }
      } catch (thrown) {
        either.throwIfAborted();
        if (!(thrown instanceof ServiceFailure) || !thrown.traits.passing) throw thrown;
        failure = thrown;
      }
      goodLife.stop();
      shown.nextConnection();
      wasAway ||= failure.traits.absent === true;
      failures++;
      giveUp.start();
      const wait = failure.traits.retryAfter ?? backoff(failures, random);
      log.info(() => `run ${runId}: ${failure.message}; connecting again in ${wait} ms`);
      await sleep(clock, wait, either);
    }
  } finally {
    for (const timer of [giveUp, loseHope, goodLife]) timer.stop();
  }
}

/** A timer that can be started when it may be running already, and stopped when it is not. */
function createTimer(clock: Clock, milliseconds: number, callback: () => void) {
  let unschedule: (() => void) | undefined;
  function stop(): void {
    unschedule?.();
    unschedule = undefined;
  }
  return {
    start(): void {
      unschedule ??= clock.schedule(milliseconds, callback);
    },
    stop,
  };
}

/** Remembers the progress of earlier connections: the same on a later one is a repetition. */
function createShown() {
  const earlier = new Set<string>();
  let present: string[] = [];
  let size = 0;
  return {
    isNew({ node, status, timestamp }: Progress): boolean {
      const key = JSON.stringify([node, status, timestamp]);
      if (earlier.has(key)) return false;
      present.push(key);
      size += key.length;
      return true;
    },
    nextConnection(): void {
      for (const key of present) earlier.add(key);
      present = [];
      for (const key of earlier) {
        if (size <= MAX_REMEMBERED) break;
        earlier.delete(key); // the oldest first
        size -= key.length;
      }
    },
  };
}
