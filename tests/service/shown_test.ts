import assert from "node:assert/strict";
import { createShown } from "../../lib/service/shown.ts";

const progress = (status: string) => ({ node: "n", status, timestamp: "t" });

Deno.test("createShown tells what an earlier connection brought from what the same one repeats", () => {
  const shown = createShown();
  const long = "世".repeat(5000);
  for (const status of ["a", "b", "a", long]) assert.ok(shown.isNew(progress(status), 1));
  assert.deepEqual(
    ["a", "c", long, "c"].map((status) => shown.isNew(progress(status), 2)),
    [false, true, false, true],
  );
  assert.deepEqual(
    ["b", "c", "d"].map((status) => shown.isNew(progress(status), 4)),
    [false, false, true],
  );
  assert.ok(shown.isNew({ node: "n", status: "a" }, 4));
});

Deno.test("createShown forgets what is too much, and shows that again", () => {
  const shown = createShown();
  const large = "x".repeat(3 * 1024 * 1024);
  for (let i = 0; i < 6; i++) assert.ok(shown.isNew(progress(large + i), 1));
  assert.equal(shown.isNew(progress(large + 0), 2), false);
  assert.equal(shown.isNew(progress(large + 5), 2), true);
});
