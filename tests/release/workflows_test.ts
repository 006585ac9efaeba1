// @ts-types="../../lib/declarations/yaml_parse.d.ts"
import { parse } from "@std/yaml/parse";
import assert from "node:assert/strict";
import * as v from "valibot";
import manifest from "../../deno.json" with { type: "json" };
import { TARGETS } from "../../lib/release/targets.ts";

/** The part of a GitHub workflow in use. */
const Workflow = v.object({
  on: v.record(v.string(), v.unknown()),
  permissions: v.object({}),
  concurrency: v.object({ group: v.string() }),
  jobs: v.record(
    v.string(),
    v.object({
      needs: v.optional(v.union([v.string(), v.array(v.string())])),
      permissions: v.record(v.string(), v.picklist(["read", "write"])),
      "timeout-minutes": v.number(),
      "runs-on": v.string(),
      strategy: v.optional(v.object({ matrix: v.record(v.string(), v.unknown()) })),
      steps: v.array(v.object({
        uses: v.optional(v.string()),
        run: v.optional(v.string()),
        with: v.optional(v.record(v.string(), v.unknown())),
      })),
    }),
  ),
});
type Workflow = v.InferOutput<typeof Workflow>;

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
const texts = new Map(
  [...Deno.readDirSync(FOLDER)].map(({ name }) => [
    name,
    Deno.readTextFileSync(new URL(name, FOLDER)),
  ]),
);

function read(name: string): Workflow {
  return v.parse(Workflow, parse(texts.get(name) ?? ""));
}

const ci = read("ci.yml");
const release = read("release.yml");
const steps = [ci, release].flatMap(({ jobs }) =>
  Object.values(jobs).flatMap(({ steps }) => steps)
);

Deno.test("every action of the workflows is pinned to a commit, with its version beside it", () => {
  assert.deepEqual([...texts.keys()].toSorted(), ["ci.yml", "release.yml"]);
  const lines = [...texts.values()].flatMap((text) => text.match(/^.*\buses:.*$/gm) ?? []);
  assert.equal(lines.length, steps.filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) {
    assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
  const pins = lines.map((line) => line.replace(/^.*uses: /, ""));
  const actions = new Set(pins.map((pin) => pin.replace(/@.*/, "")));
  assert.equal(new Set(pins).size, actions.size, "one action has two pins");
});

Deno.test("the workflows keep no credentials, and bring no expression into a script", () => {
  for (const { uses, run, with: given } of steps) {
    if (uses?.startsWith("actions/checkout@")) {
      assert.equal(given?.["persist-credentials"], false);
    }
    assert.doesNotMatch(run ?? "", /\$\{\{/);
  }
});

Deno.test("the workflows may write only where a release is published", () => {
  for (const { jobs } of [ci, release]) {
    for (const [name, { permissions }] of Object.entries(jobs)) {
      if (name !== "publish") assert.deepEqual(permissions, { contents: "read" });
    }
  }
  assert.deepEqual(release.jobs.publish?.permissions, {
    contents: "write",
    "id-token": "write",
    attestations: "write",
  });
});

Deno.test("the workflows run tasks that there are", () => {
  const tasks = steps.flatMap(({ run = "" }) => [...run.matchAll(/\bdeno task ([\w-]+)/g)])
    .map(([, task = ""]) => task);
  assert.deepEqual(
    new Set(tasks),
    new Set(["ok", "compile", "test-binary", "release"]),
  );
  for (const task of tasks) assert.ok(task in manifest.tasks, task);
  for (const { run = "" } of steps) assert.doesNotMatch(run, /\bdeno (?!task\b)/);
});

Deno.test("ci.yml checks pushes and pull requests, on each system and Deno", () => {
  assert.deepEqual(Object.keys(ci.on), ["push", "pull_request"]);
  assert.deepEqual(ci.jobs.check?.strategy?.matrix, {
    os: ["ubuntu-latest", "macos-latest", "windows-latest"],
    deno: ["v2.6.x", "v2.8.x", "latest"],
  });
});

Deno.test("release.yml publishes what was checked on a runner of each target", () => {
  assert.deepEqual(release.on, { push: { tags: ["v*"] } });
  const { build, check, publish } = release.jobs;
  const Include = v.array(v.object({ platform: v.string(), runner: v.string() }));
  const include = v.parse(Include, check?.strategy?.matrix.include);
  assert.deepEqual(
    include.map(({ platform }) => platform),
    TARGETS.map(({ platform }) => platform),
  );
  assert.equal(new Set(include.map(({ runner }) => runner)).size, TARGETS.length);
  assert.equal(check?.needs, "build");
  assert.deepEqual(publish?.needs, ["build", "check"]);
  const made = build?.steps.flatMap(({ run = "" }) => run.match(/deno task release .*/) ?? []);
  assert.deepEqual(made, [
    'deno task release --tag "$GITHUB_REF_NAME" --repository "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"',
  ]);
  const last = publish?.steps.map(({ uses, run }) =>
    uses?.split("@")[0] ?? run?.match(/gh \w+ \w+/)?.[0]
  );
  assert.deepEqual(last?.slice(-2), ["actions/attest-build-provenance", "gh release create"]);
});
