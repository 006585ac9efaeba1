import assert from "node:assert/strict";
import { average, median, quantile, ratios, summarize } from "./statistics.ts";

Deno.test("quantile ranks samples in any order, and lies between two where none is there", () => {
  const cases: [number[], number, number][] = [
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 0.5, 2],
    [[3, 1, 2], 1, 3],
    [[1, 2], 0.5, 1.5],
    [[10, 2, 30, 4, 50], 0.25, 4],
    [[0, 100], 0.99, 99],
    [[7], 0.3, 7],
  ];
  for (const [samples, part, expected] of cases) assert.equal(quantile(samples, part), expected);
  assert.equal(median([9, 1, 5, 7]), 6);
});

Deno.test("quantile refuses to rank nothing", () => {
  assert.throws(() => quantile([], 0.5), RangeError);
});

Deno.test("summarize gives the middle half, and nothing for nothing", () => {
  assert.deepEqual(summarize([5, 4, 3, 2, 1]), { median: 3, low: 2, high: 4, count: 5 });
  assert.equal(summarize([]), undefined);
});

Deno.test("average counts what is rare, and is nothing for nothing", () => {
  assert.equal(average([1, 1, 10]), 4);
  assert.equal(average([]), undefined);
});

Deno.test("ratios pairs the rounds, and leaves out those that lack a side", () => {
  assert.deepEqual(ratios([2, 9, 4], [1, 3]), [2, 3]);
  assert.deepEqual(ratios([2, 9], [0, 3]), [3]);
  assert.deepEqual(ratios([], [1]), []);
});
