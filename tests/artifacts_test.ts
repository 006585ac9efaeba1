import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type ArtifactFile, saveArtifact, type SaveOptions } from "../lib/artifacts.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function fileOf(name: string, text = "text é", more: Partial<ArtifactFile> = {}): ArtifactFile {
  const bytes = encode(text);
  return { name, sha256: hash(bytes), bytes, ...more };
}

/** A session's folder, and how files are saved in it. */
async function folder(more: Partial<SaveOptions> = {}) {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const options: SaveOptions = {
    cwd,
    outDir: "articles",
    anyPath: false,
    os: Deno.build.os,
    writeText: () => Promise.resolve(false),
    signal: new AbortController().signal,
    ...more,
  };
  return { cwd, options };
}

function tree(path: string): string[] {
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) =>
    isDirectory ? tree(`${path}/${name}`).map((below) => `${name}/${below}`) : [name]
  ).sort();
}

const unix = { ignore: Deno.build.os === "windows" };

Deno.test("saveArtifact saves a file under its plain name", unix, async () => {
  const table: [string, string | undefined, string][] = [
    ["a.md", undefined, "articles/a.md"],
    ["../../etc/a.md", undefined, "articles/a.md"],
    ["C:\\x\\é 世界.md", undefined, "articles/é 世界.md"],
    ["a.md", "articles/deep/b.md", "articles/deep/b.md"],
    ["a.md", "", "articles/a.md"],
    ["a.md", "articles/sub/", "articles/sub/a.md"],
    ["a.md", "./articles/../articles/b.md", "articles/b.md"],
  ];
  for (const [name, destination, path] of table) {
    const { cwd, options } = await folder();
    const saved = await saveArtifact(fileOf(name, "text é", { destination }), options);
    assert.deepEqual(saved, { path: `${cwd}/${path}`, text: "text é" });
    assert.equal(Deno.readTextFileSync(saved.path), "text é");
    assert.deepEqual(tree(cwd), [path], "and nothing else");
  }
});

Deno.test("saveArtifact refuses what must not be saved, and writes nothing", unix, async () => {
  const names = [
    "CONOUT$",
    "",
    ".",
    "..",
    ".bashrc",
    "a/.env",
    "CON",
    "nul.txt",
    "com1.md",
    "a:b",
    "a\0b",
    "a.",
  ];
  for (const name of [...names, "x".repeat(201)]) {
    const { cwd, options } = await folder();
    await assert.rejects(saveArtifact(fileOf(name), options), /allowed|too long/, name);
    assert.deepEqual(tree(cwd), []);
  }
  const { cwd, options } = await folder();
  const wrong = fileOf("a.md", "text", { sha256: hash(encode("other")) });
  await assert.rejects(saveArtifact(wrong, options), /SHA-256/);
  const bytes = new Uint8Array([0xff, 0xfe]);
  await assert.rejects(
    saveArtifact({ name: "a.md", bytes, sha256: hash(bytes).toUpperCase() }, options),
    /not UTF-8 text/,
  );
  for (
    const destination of ["/tmp/b.md", "../b.md", "b.md", "articles/../b.md", "articlesx/b.md"]
  ) {
    const file = fileOf("a.md", "text", { destination });
    await assert.rejects(saveArtifact(file, options), /is outside .*--allow-any-path allows it/);
  }
  assert.deepEqual(tree(cwd), []);
});

Deno.test("saveArtifact leaves the folder when it is allowed to, or told to", unix, async () => {
  const elsewhere = await Deno.realPath(await Deno.makeTempDir());
  const { options } = await folder({ anyPath: true });
  const file = fileOf("a.md", "text", { destination: `${elsewhere}/new/b.md` });
  assert.equal((await saveArtifact(file, options)).path, `${elsewhere}/new/b.md`);
  const told = await folder({ outDir: `${elsewhere}/out` });
  assert.equal((await saveArtifact(fileOf("c.md"), told.options)).path, `${elsewhere}/out/c.md`);
  const beside = await folder({ outDir: `../${crypto.randomUUID()}` });
  assert.match((await saveArtifact(fileOf("c.md"), beside.options)).path, /\/c\.md$/);

  const hidden = await folder({ outDir: "." });
  for (const destination of [".git/hooks/x", ".vscode/tasks.json", "con/x.md"]) {
    const file = fileOf("a.md", "text", { destination });
    await assert.rejects(saveArtifact(file, hidden.options), /allowed/);
  }
});

Deno.test("saveArtifact does not follow symbolic links out of the folder", unix, async () => {
  const outside = await Deno.realPath(await Deno.makeTempDir());
  const first = await folder();
  Deno.symlinkSync(outside, `${first.cwd}/articles`);
  await assert.rejects(saveArtifact(fileOf("a.md"), first.options), /link leads out/);

  const second = await folder();
  Deno.mkdirSync(`${second.cwd}/articles`);
  Deno.symlinkSync(outside, `${second.cwd}/articles/deep`);
  const file = fileOf("a.md", "text", { destination: "articles/deep/er/b.md" });
  await assert.rejects(saveArtifact(file, second.options), /link leads out/);

  Deno.mkdirSync(`${second.cwd}/elsewhere`);
  Deno.symlinkSync(`${second.cwd}/elsewhere`, `${second.cwd}/articles/near`);
  const near = fileOf("a.md", "text", { destination: "articles/near/b.md" });
  await assert.rejects(saveArtifact(near, second.options), /link leads out/);

  Deno.writeTextFileSync(`${outside}/target`, "kept");
  Deno.symlinkSync(`${outside}/target`, `${second.cwd}/articles/a.md`);
  const saved = await saveArtifact(fileOf("a.md"), second.options);
  assert.equal(saved.path, `${second.cwd}/articles/a (2).md`);
  assert.deepEqual(tree(outside), ["target"]);
  assert.equal(Deno.readTextFileSync(`${outside}/target`), "kept");
});

Deno.test("saveArtifact loses no file that is there", unix, async () => {
  const { cwd, options } = await folder();
  const save = async (text: string) => (await saveArtifact(fileOf("a.md", text), options)).path;
  assert.equal(await save("one"), `${cwd}/articles/a.md`);
  assert.equal(await save("one"), `${cwd}/articles/a.md`);
  assert.equal(await save("two"), `${cwd}/articles/a (2).md`);
  assert.equal(await save("too"), `${cwd}/articles/a (3).md`);
  assert.equal(await save("two"), `${cwd}/articles/a (2).md`);
  assert.deepEqual(tree(cwd).length, 3);
});

Deno.test("saveArtifact writes through the editor where it can, or not at all", unix, async () => {
  const written: [string, string][] = [];
  const { cwd, options } = await folder({
    writeText: (path, text) => Promise.resolve(written.push([path, text]) > 0),
  });
  await saveArtifact(fileOf("a.md", "text"), options);
  assert.deepEqual(written, [[`${cwd}/articles/a.md`, "text"]]);

  const { cwd: full, options: readOnly } = await folder({ outDir: "file/sub" });
  Deno.writeTextFileSync(`${full}/file`, "in the way");
  await assert.rejects(saveArtifact(fileOf("a.md"), readOnly));
  assert.deepEqual(tree(full), ["file"]);
});
