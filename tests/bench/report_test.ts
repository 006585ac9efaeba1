import assert from "node:assert/strict";
import { measuredTable, putBetweenMarkers, ratioTable, standings, targetTable } from "./report.ts";
import { createResults } from "./results.ts";
import { judge } from "./targets.ts";

function someResults() {
  const results = createResults();
  for (const [bridge, empty] of [[110, 100], [150, 100], [99, 90]] as const) {
    results.record("initialize", "bridge", bridge);
    results.record("wholeRun", "empty", empty);
    results.record("idleMemory", "bridge", bridge);
    results.record("idleMemory", "empty", empty);
  }
  results.record("idleCpu", "bridge", 16);
  results.record("peakPerByte", "bridge", undefined);
  return results;
}

Deno.test("standings judges the median of the rounds, and what was not measured not at all", () => {
  const judged = standings(someResults()).map(({ target, measured, verdict }) =>
    [target.split(" / ")[0], measured?.median, verdict] as const
  );
  const of = (name: string) => judged.find(([target]) => target === name)?.slice(1);
  assert.deepEqual(of("spawn → `initialize` answer"), [1.1, "met"]);
  assert.deepEqual(of("CPU in 10 s of idleness, in ms"), [16, "far"]);
  assert.deepEqual(of("peak memory of a large reply above idle"), [undefined, "not measured"]);
});

Deno.test("standings blames nobody for being faster at the small one of two sizes", () => {
  const verdictOf = (bridgeLarge: number) => {
    const results = createResults();
    results.record("smallReply", "bridge", 25);
    results.record("largeReply", "bridge", bridgeLarge);
    results.record("smallReply", "relay", 50);
    results.record("largeReply", "relay", 90);
    return standings(results).find(({ target }) => target.startsWith("time per byte"))?.verdict;
  };
  assert.equal(verdictOf(75), "missed"); // 3.0, where the relay has 1.8, but faster than the relay
  assert.equal(verdictOf(140), "far");
});

Deno.test("judge blames nobody for what the relay does not reach either", () => {
  const table: [number | undefined, number, number | undefined, string][] = [
    [1.1, 1.1, undefined, "met"],
    [1.2, 1.1, undefined, "missed"],
    [1.7, 1.1, undefined, "far"],
    [1.7, 1.1, 1.2, "missed"],
    [1.9, 1.1, 1.2, "far"],
    [undefined, 1.1, 1.2, "not measured"],
  ];
  for (const [middle, most, relays, verdict] of table) {
    assert.equal(judge(middle, most, relays), verdict);
  }
});

Deno.test("the tables are padded as Markdown is, and leave out what there is nothing of", () => {
  assert.equal(
    ratioTable(someResults()),
    "| bridge /              | empty |\n" +
      "| --------------------- | ----- |\n" +
      "| resident memory, idle | 1.10  |\n",
  );
  assert.match(targetTable(standings(someResults())), /\| not measured \| +\| +\| +\|\n/);
  assert.match(measuredTable(someResults()), /CPU in 10 s of idleness, ms +\| 16\.0 ± 0\.00 \|/);
});

Deno.test("putBetweenMarkers replaces what stands there, and asks for the markers", () => {
  const document = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n";
  const once = putBetweenMarkers(document, "new\n");
  assert.equal(once, "a\n<!-- bench -->\n\nnew\n\n<!-- /bench -->\nb\n");
  assert.equal(putBetweenMarkers(once, "new\n"), once);
  assert.throws(() => putBetweenMarkers("a", "new"), /Cannot find the place/);
});
