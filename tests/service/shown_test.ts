import assert from "node:assert/strict";
import type { RunEvent } from "../../lib/service/events.ts";
import { createShown } from "../../lib/service/shown.ts";

function progress(status: string, timestamp = "t"): RunEvent {
  return { event: "progress", progress: { node: "n", status, timestamp } };
}

Deno.test("createShown tells what an earlier connection brought from what the same one repeats", () => {
  const shown = createShown();
  const [a, b, c, d] = [progress("a"), progress("b"), progress("c"), progress("d")];
  const long = progress("世".repeat(5000));
  const connected: RunEvent = { event: "connected" };
  assert.deepEqual(shown.unseen([connected, a, b, a, long], 1), [connected, a, b, a, long]);
  assert.deepEqual(shown.unseen([connected, a, c, long], 2), [connected, c]);
  assert.deepEqual(shown.unseen([c], 2), [c]);
  assert.deepEqual(shown.unseen([b, c, d, progress("a", "later")], 4), [d, progress("a", "later")]);
});

Deno.test("createShown takes nothing for another's, whatever characters it has", () => {
  const parts = ["a", "", "1:a", "a\u001eb", "a\u001fb"];
  const all = parts.flatMap((node) =>
    parts.flatMap((status) =>
      ["", ...parts].map((timestamp): RunEvent => ({
        event: "progress",
        progress: { node, status, timestamp },
      }))
    )
  );
  for (const [index, each] of all.entries()) {
    const shown = createShown();
    assert.deepEqual(shown.unseen([each], 1), [each]);
    const others = all.filter((other) => JSON.stringify(other) !== JSON.stringify(each));
    assert.deepEqual(shown.unseen(all, 2), others, String(index));
    assert.deepEqual(shown.unseen(all, 3), []);
  }
});

Deno.test("createShown forgets what is too much, and shows that again", () => {
  const shown = createShown();
  const large = Array.from({ length: 6 }, (_, i) => progress("x".repeat(3 * 1024 * 1024) + i));
  for (const each of large) assert.deepEqual(shown.unseen([each], 1), [each]);
  assert.deepEqual(shown.unseen(large, 2), large.slice(5));
});
