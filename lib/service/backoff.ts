const FIRST = 200;
const LONGEST = 10_000;

/**
 * How long to wait before trying again, in milliseconds: doubling from 0.2 s to 10 s, with jitter,
 * so that bridges that lost the service together do not come back together.
 *
 * @param failures how many attempts in a row have failed, from 1
 * @param random a number from 0 up to 1
 */
export function backoff(failures: number, random: () => number): number {
  return Math.min(FIRST * 2 ** (failures - 1), LONGEST) * (0.8 + 0.4 * random());
}
