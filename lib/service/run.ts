import { type Clock, sleep } from "../clock.ts";
import type { Log } from "../log.ts";
import type { ServiceClient } from "./client.ts";
import type { RunEvent } from "./events.ts";
import { gaveUp, lost, ServiceFailure } from "./failures.ts";
import type { Limits } from "./limits.ts";
import { createShown } from "./shown.ts";
import type { Batch } from "./sse.ts";
import { waitFor } from "./wait_for.ts";

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

/**
 * The events of a run, up to its `complete`, over as many connections as it takes: only `complete`
 * proves that a run is over, and connecting again to the same run is always right. Progress that
 * the service repeats on a later connection is left out.
 *
 * @param end ends it; is aborted, with what is to be said, when the run seems to be lost
 * @throws {ServiceFailure} what does not pass, or when attempts brought nothing for too long, or
 * when the service was away and seems to have lost the run
 */
export async function* followRun(
  { client, hostName, clock, log, random, limits }: FollowOptions,
  threadId: string,
  runId: string,
  end: AbortController,
): AsyncGenerator<Batch<RunEvent>> {
  const shown = createShown();
  /** Attempts in a row that brought nothing, and when the first of them ended. */
  let failures = 0;
  let failingSince = 0;
  /** When the present connection was opened, if it was. */
  let openedAt: number | undefined;
  /** The service was unreachable, so it may have restarted since the run was last heard of. */
  let wasAway = false;
  /** Ends the run some time after the service is back. */
  let keepHope: (() => void) | undefined;

  function opened(): void {
    openedAt = clock.now();
    if (wasAway) {
      keepHope ??= clock.schedule(LOST_AFTER, () => end.abort(lost(hostName, LOST_AFTER)));
    }
  }

  function heard(): void {
    failures = 0;
    wasAway = false;
    keepHope?.();
    keepHope = undefined;
  }

  /** How long to wait before the next attempt; throws when there have been enough. */
  function patience(failure: ServiceFailure): number {
    const now = clock.now();
    if (openedAt !== undefined && now - openedAt >= GOOD_LIFE) failures = 0;
    if (failures++ === 0) failingSince = now;
    const left = failingSince + limits.reattach - now;
    if (left <= 0) throw gaveUp(failure, limits.reattach);
    return failure.traits.retryAfter === undefined
      ? Math.min(waitFor(failure, failures, random), left)
      : waitFor(failure, failures, random);
  }

  try {
    for (let connection = 1;; connection++) {
      openedAt = undefined;
      let failure: ServiceFailure;
      try {
        for await (const batch of client.connect(threadId, runId, end.signal, opened)) {
          yield () => {
            const events = batch();
            if (events.some(({ event }) => event !== "connected")) heard();
            return shown.unseen(events, connection);
          };
        }
        return; // connect ends with `complete`, or throws
      } catch (thrown) {
        end.signal.throwIfAborted();
        if (!(thrown instanceof ServiceFailure) || !thrown.traits.passing) throw thrown;
        failure = thrown;
      }
      wasAway ||= failure.traits.absent === true;
      const wait = patience(failure);
      log.info(() => `run ${runId}: ${failure.message}; connecting again in ${wait} ms`);
      await sleep(clock, wait, end.signal);
    }
  } finally {
    keepHope?.();
  }
}
