import assert from "node:assert/strict";
import { ReleaseError } from "../../lib/release/errors.ts";
import { readOptions } from "../../lib/release/options.ts";
import { TARGETS } from "../../lib/release/targets.ts";

Deno.test("readOptions has all targets, no repository and 1980 where nothing is said", () => {
  assert.deepEqual(readOptions([], undefined, "1.2.3"), {
    targets: TARGETS,
    repository: undefined,
    modified: new Date("1980-01-01T00:00:00Z"),
  });
});

Deno.test("readOptions reads targets, repository, tag and SOURCE_DATE_EPOCH", () => {
  const args = ["--target", "aarch64-apple-darwin", "--target=x86_64-pc-windows-msvc"];
  const repository = "https://git.example.com:8443/some-one/patb.cli_bridge";
  const options = readOptions(
    [...args, "--repository", `${repository}/`, "--tag", "v1.2.3"],
    "1772600767",
    "1.2.3",
  );
  assert.deepEqual(options.targets.map(({ platform }) => platform), [
    "darwin-aarch64",
    "windows-x86_64",
  ]);
  assert.equal(options.repository, repository);
  assert.equal(options.modified.toISOString(), "2026-03-04T05:06:07.000Z");
});

const BAD: [string, string[], string | undefined, RegExp][] = [
  [
    "a target that there is not",
    ["--target", "sparc"],
    undefined,
    /no target "sparc"; .*linux-gnu/,
  ],
  ["another tag", ["--tag", "v1.2.4"], undefined, /tag is "v1\.2\.4", .* "1\.2\.3"/],
  ["a tag without v", ["--tag", "1.2.3"], undefined, /The tag/],
  ["a flag that there is not", ["--fast"], undefined, /--fast/],
  ["a word too much", ["all"], undefined, /all/],
  ["http", ["--repository", "http://example.com/a/b"], undefined, /--repository/],
  ["a host alone", ["--repository", "https://example.com"], undefined, /--repository/],
  [
    "what a shell would run",
    ["--repository", "https://example.com/$(id)"],
    undefined,
    /--repository/,
  ],
  ["a quote", ["--repository", "https://example.com/a'b"], undefined, /--repository/],
  ["a user", ["--repository", "https://me@example.com/a/b"], undefined, /--repository/],
  ["a time that is none", [], "yesterday", /SOURCE_DATE_EPOCH/],
  ["a time before 1980", [], "0", /SOURCE_DATE_EPOCH/],
];
for (const [name, args, epoch, message] of BAD) {
  Deno.test(`readOptions refuses ${name}`, () => {
    assert.throws(() => readOptions(args, epoch, "1.2.3"), (thrown) => {
      assert.ok(thrown instanceof ReleaseError);
      assert.equal(thrown.status, 2);
      assert.match(thrown.message, message);
      return true;
    });
  });
}
