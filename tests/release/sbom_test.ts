import assert from "node:assert/strict";
import Ajv from "ajv";
import * as v from "valibot";
import { dependenciesOf, Lock, ModuleGraph, shippedPackages } from "../../lib/release/packages.ts";
import { createSbom } from "../../lib/release/sbom.ts";
import { MODIFIED } from "./support.ts";

const ROOT = new URL("../../", import.meta.url);

/** One of the official schemas of CycloneDX; they refer to one another by their files' names. */
async function schema(name: string): Promise<[object, string]> {
  const file = `${name}.SNAPSHOT.schema.json`;
  const library = import.meta.resolve("@cyclonedx/cyclonedx-library/package.json");
  const text = await Deno.readTextFile(new URL(`res/schema/${file}`, library));
  const { $id: _, ...rest } = JSON.parse(text);
  return [rest, `http://cyclonedx.org/schema/${file}`];
}

const lock = v.parse(Lock, JSON.parse(await Deno.readTextFile(new URL("deno.lock", ROOT))));

async function moduleGraph(): Promise<ModuleGraph> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: ROOT,
  }).output();
  return v.parse(ModuleGraph, JSON.parse(new TextDecoder().decode(stdout)));
}

Deno.test("createSbom is CycloneDX 1.6, and tells what is shipped from what is not", async () => {
  const shipped = shippedPackages(await moduleGraph(), lock);
  const options = { version: "1.2.3", license: "MIT", deno: "2.9.6", modified: MODIFIED, lock };
  const sbom = createSbom({ ...options, shipped });

  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"]) {
    ajv.addSchema(...await schema(name));
  }
  const [bom, id] = await schema("bom-1.6");
  const validate = ajv.compile({ ...bom, $id: id });
  assert.ok(validate(sbom), ajv.errorsText(validate.errors));
  assert.ok(!validate({ ...sbom, parts: [] }), "the schema takes anything");

  const names = (wanted: string) =>
    sbom.components.filter(({ scope }) => scope === wanted)
      .map(({ group, name }) => group === undefined ? name : `${group}/${name}`);
  assert.deepEqual(names("required").toSorted(), [
    "deno",
    "deno-std",
    "diff",
    "eventsource-parser",
    "jsonc-parser",
    "valibot",
  ]);
  for (const name of ["ajv", "fast-check", "@agentclientprotocol/sdk", "fflate", "pure-rand"]) {
    assert.ok(names("excluded").includes(name), name);
  }
  assert.equal(sbom.components.length, Object.keys(lock.npm).length + 1);
  const refs = new Set(sbom.components.map((component) => component["bom-ref"]));
  for (const ref of sbom.dependencies.flatMap(({ dependsOn }) => dependsOn)) {
    assert.ok(refs.has(ref), ref);
  }
  const valibot = sbom.components.find(({ name }) => name === "valibot");
  assert.match(valibot?.purl ?? "", /^pkg:npm\/valibot@\d+\.\d+\.\d+$/);
  assert.match(valibot?.hashes?.[0]?.content ?? "", /^[0-9a-f]{128}$/);
});

/** A graph in which one module imports a package for its types alone. */
const GRAPH: ModuleGraph = {
  roots: ["file:///main.ts"],
  redirects: { "npm:run@1": "npm:/run@1.0.0" },
  modules: [
    {
      specifier: "file:///main.ts",
      dependencies: [{ code: { specifier: "npm:run@1" } }, {}, {
        code: { specifier: "file:///other.ts" },
      }],
    },
    { specifier: "file:///other.ts", dependencies: [{ code: { specifier: "npm:/@a/b@2.0.0" } }] },
    { specifier: "npm:/run@1.0.0", npmPackage: "run@1.0.0_peer@1.0.0" },
    { specifier: "npm:/@a/b@2.0.0", npmPackage: "@a/b@2.0.0" },
    { specifier: "npm:/types@1.0.0", npmPackage: "types@1.0.0" },
  ],
};
const SMALL: Lock = {
  npm: {
    "@a/b@2.0.0": { integrity: "sha512-AA==", dependencies: ["run@1.0.0", "deep"] },
    "deep@3.0.0": { integrity: "sha512-AA==" },
    "run@1.0.0_peer@1.0.0": { integrity: "sha512-AA==", dependencies: ["@a/b"] },
    "types@1.0.0": { integrity: "sha1-AA==" },
  },
};

Deno.test("shippedPackages follows imports and dependencies, in circles too, but not types", () => {
  assert.deepEqual(
    [...shippedPackages(GRAPH, SMALL)].toSorted(),
    ["@a/b@2.0.0", "deep@3.0.0", "run@1.0.0_peer@1.0.0"],
  );
});

Deno.test("dependenciesOf refuses a lock file that lacks a package", () => {
  const broken = { npm: { "a@1.0.0": { integrity: "", dependencies: ["b"] } } };
  assert.throws(() => dependenciesOf("a@1.0.0", broken), /lacks "b", needed by "a@1.0.0"/);
  assert.throws(() => dependenciesOf("c@1.0.0", broken), /lacks the package "c@1.0.0"/);
});
