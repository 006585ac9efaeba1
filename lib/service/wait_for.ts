import type { ServiceFailure } from "./failures.ts";

/** The shortest and the longest wait, in milliseconds, where the service does not ask for one. */
const FIRST = 200;
const LONGEST = 10_000;

/**
 * How long to wait before trying again, in milliseconds: doubling from 0.2 s to 10 s, and at least
 * as long as the service asks for; with jitter, so that bridges that lost the service together do
 * not come back together.
 *
 * @param failures how many attempts in a row have failed, from 1
 * @param random a number from 0 up to 1
 */
export function waitFor(failure: ServiceFailure, failures: number, random: () => number): number {
  const backoff = Math.min(FIRST * 2 ** (failures - 1), LONGEST) * (0.8 + 0.4 * random());
  return Math.max(backoff, failure.traits.retryAfter ?? 0);
}
