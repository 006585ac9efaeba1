import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { createCompiler } from "../../lib/release/compile.ts";

Deno.test("createCompiler bundles once, and compiles with the flags of the task", async () => {
  const runs: string[][] = [];
  const compile = createCompiler({
    task: manifest.tasks.compile.command,
    run: (args) => Promise.resolve(runs.push(args)),
    date: (folder) => Promise.resolve(void runs.push(["date", folder])),
  });
  await compile("x86_64-apple-darwin", "a b/one");
  await compile("x86_64-pc-windows-msvc", "two.exe");
  const [bundle = [], dated, ...rest] = runs;
  assert.deepEqual(
    [bundle[0], ...bundle.slice(-3)],
    ["bundle", "--outdir", "dist/bundle", "main.ts"],
  );
  assert.deepEqual(dated, ["date", "dist/bundle"]);
  const [, flags = ""] = manifest.tasks.compile.command.match(/deno compile (.*) --output/) ?? [];
  assert.ok(flags.includes("--allow-env="));
  const compiled = (triple: string, output: string) => [
    "compile",
    "--target",
    triple,
    ...flags.split(" "),
    "--output",
    output,
    "dist/bundle/main.js",
  ];
  assert.deepEqual(rest, [
    compiled("x86_64-apple-darwin", "a b/one"),
    compiled("x86_64-pc-windows-msvc", "two.exe"),
  ]);
});

Deno.test("createCompiler refuses a task of another shape", () => {
  const unused = { run: () => Promise.resolve(), date: () => Promise.resolve() };
  const bad = [
    "deno compile --output a",
    "deno bundle a && deno compile --output b",
    "deno bundle --outdir a && deno compile b",
    "rm -rf dist",
  ];
  for (const task of bad) {
    assert.throws(() => createCompiler({ task, ...unused }), /The task "compile" has no /);
  }
});
