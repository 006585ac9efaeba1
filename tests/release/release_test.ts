import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { sha256 } from "../../lib/release/checksums.ts";
import { release, type ReleaseOptions } from "../../lib/release/release.ts";
import { createSbom } from "../../lib/release/sbom.ts";
import { TARGETS } from "../../lib/release/targets.ts";
import { findTarget, MODIFIED } from "./support.ts";

const REPOSITORY = "https://example.com/someone/bridge";
const HERE = new URL("../../lib/release/", import.meta.url);
const TEMPLATES = ["icon.svg", "install.sh", "install.ps1"];

/** Makes a release in a new folder; the stand-in for a compiler writes the target's triple. */
async function releaseInto(
  test: (folder: string, names: string[]) => Promise<void>,
  options: Partial<ReleaseOptions> = {},
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const scratch = await Deno.makeTempDir();
  const texts = TEMPLATES.map(async (name): Promise<[string, string]> => [
    name,
    await Deno.readTextFile(new URL(name, HERE)),
  ]);
  try {
    const names = await release({
      version: "1.2.3",
      license: "MIT",
      targets: TARGETS,
      repository: REPOSITORY,
      modified: MODIFIED,
      documents: new Map([["README.md", new Uint8Array([1])], ["LICENSE", new Uint8Array([2])]]),
      templates: new Map(await Promise.all(texts)),
      sbom: createSbom({
        version: "1.2.3",
        license: "MIT",
        deno: "2.9.6",
        modified: MODIFIED,
        lock: { npm: {} },
        shipped: new Set(),
      }),
      compile: (triple, output) => Deno.writeTextFile(output, triple),
      folder,
      scratch,
      ...options,
    });
    assert.deepEqual([...Deno.readDirSync(scratch)], []);
    await test(folder, names);
  } finally {
    await Deno.remove(folder, { recursive: true });
    await Deno.remove(scratch, { recursive: true });
  }
}

const ARCHIVES = [
  "patb-cli-bridge-1.2.3-linux-x86_64.tar.gz",
  "patb-cli-bridge-1.2.3-linux-aarch64.tar.gz",
  "patb-cli-bridge-1.2.3-darwin-x86_64.tar.gz",
  "patb-cli-bridge-1.2.3-darwin-aarch64.tar.gz",
  "patb-cli-bridge-1.2.3-windows-x86_64.zip",
];
const SBOM = "patb-cli-bridge-1.2.3.cdx.json";

Deno.test("release makes an archive for each target, and all that stands beside them", async () => {
  await releaseInto(async (folder, names) => {
    assert.deepEqual(names, [...ARCHIVES, SBOM, "agent.json", ...TEMPLATES, "SHA256SUMS"]);
    const made = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.deepEqual(made.toSorted(), names.toSorted());

    const sums = await Deno.readTextFile(`${folder}/SHA256SUMS`);
    const expected = names.slice(0, -1).map(async (name) =>
      `${await sha256(await Deno.readFile(`${folder}/${name}`))}  ${name}\n`
    );
    assert.equal(sums, (await Promise.all(expected)).join(""));
  });
});

Deno.test("release puts each target's executable into its archive, with the documents", async () => {
  await releaseInto(async (folder) => {
    for (const [index, { triple, executable, format }] of TARGETS.entries()) {
      const bytes = await Deno.readFile(`${folder}/${ARCHIVES[index]}`);
      const files = format === "zip"
        ? new Map(Object.entries(unzipSync(bytes)))
        : await untar(bytes);
      assert.deepEqual([...files.keys()], [executable, "README.md", "LICENSE"]);
      assert.equal(new TextDecoder().decode(files.get(executable)), triple);
    }
  });
});

async function untar(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, Uint8Array>> {
  const tar = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  const entries = await unpackTar(await new Response(tar ?? null).arrayBuffer());
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

Deno.test("release writes the repository's address into the installers", async () => {
  await releaseInto(async (folder) => {
    for (const name of ["install.sh", "install.ps1"]) {
      const text = await Deno.readTextFile(`${folder}/${name}`);
      assert.ok(text.includes(`${REPOSITORY}/releases`), name);
      assert.doesNotMatch(text, /@REPOSITORY@/);
    }
  });
});

Deno.test("release makes nothing that needs an address where there is none", async () => {
  await releaseInto(
    (_folder, names) => Promise.resolve(assert.deepEqual(names, [ARCHIVES[0], SBOM, "SHA256SUMS"])),
    { repository: undefined, targets: [findTarget("linux-x86_64")] },
  );
});

Deno.test("release makes the same bytes again", async () => {
  const sums: string[] = [];
  for (let time = 0; time < 2; time++) {
    await releaseInto(async (folder) => {
      sums.push(await Deno.readTextFile(`${folder}/SHA256SUMS`));
    });
  }
  assert.equal(sums[0], sums[1]);
});

Deno.test("release fails when the compiler does", async () => {
  const compile = () => Promise.reject(new Error("no runtime"));
  await assert.rejects(releaseInto(() => Promise.resolve(), { compile }), /no runtime/);
});

Deno.test("the task release refuses a tag of another version, and makes nothing", async () => {
  const [, ...flags] = manifest.tasks.release.command.split(" ");
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, "--tag", "v0.0.0"],
    cwd: new URL("../../", import.meta.url),
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /^release: The tag is "v0\.0\.0"/);
});
