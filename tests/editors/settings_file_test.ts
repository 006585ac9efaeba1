import assert from "node:assert/strict";
import { readSettingsFile, writeSettingsFile } from "../../lib/editors/settings_file.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const UNIX = Deno.build.os !== "windows";
const read = (path: string, ...others: string[]) =>
  readSettingsFile([path, ...others], Deno.build.os);

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).toSorted();
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

Deno.test("writeSettingsFile makes a file and its folder where there are none, and no backup", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/deep/er/settings.json`;
  const file = read(path);
  assert.equal(file.text, "");
  assert.equal(writeSettingsFile(file, "{}\n", NOW), undefined);
  assert.equal(Deno.readTextFileSync(path), "{}\n");
  assert.deepEqual(await names(`${folder}/deep/er`), ["settings.json"]);
});

Deno.test("writeSettingsFile keeps what was there in a backup of its own, and the rights", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/settings.json`;
  Deno.writeTextFileSync(path, "\ufeffone");
  if (UNIX) Deno.chmodSync(path, 0o640);
  const backups = ["two", "three"].map((text) => writeSettingsFile(read(path), text, NOW));
  assert.deepEqual(backups, [
    `${path}.backup-20260102T030405Z`,
    `${path}.backup-20260102T030405Z-2`,
  ]);
  const texts = [path, ...backups].map((path) =>
    new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(Deno.readFileSync(path ?? ""))
  );
  assert.deepEqual(texts, ["three", "\ufeffone", "two"]);
  assert.equal((await names(folder)).length, 3);
  if (UNIX) { for (const each of [path, ...backups]) assert.equal(modeOf(each ?? ""), 0o640); }
});

Deno.test("readSettingsFile takes the first file that is there, or else the first", async () => {
  const folder = await Deno.makeTempDir();
  const [first, second] = [`${folder}/1/settings.json`, `${folder}/settings.json`];
  assert.equal(read(first, second).path, first);
  Deno.writeTextFileSync(second, "2");
  assert.equal(read(first, second).path, second);
  Deno.mkdirSync(`${folder}/1`);
  Deno.writeTextFileSync(first, "1");
  assert.equal(read(first, second).text, "1");
});

Deno.test({
  name: "writeSettingsFile writes what a link leads to, and the link stays one",
  ignore: !UNIX,
  async fn() {
    const folder = await Deno.makeTempDir();
    for (const name of ["zed", "dotfiles"]) Deno.mkdirSync(`${folder}/${name}`);
    Deno.writeTextFileSync(`${folder}/dotfiles/zed.json`, "one");
    Deno.symlinkSync("../dotfiles/zed.json", `${folder}/zed/settings.json`);
    const path = `${folder}/zed/settings.json`;
    const backup = writeSettingsFile(read(path), "two", NOW) ?? "";
    assert.equal(Deno.readLinkSync(path), "../dotfiles/zed.json");
    assert.equal(Deno.readTextFileSync(`${folder}/dotfiles/zed.json`), "two");
    assert.deepEqual(await names(`${folder}/dotfiles`), ["zed.json"]);
    assert.ok(backup.startsWith(`${path}.backup-`));
    assert.equal(Deno.readTextFileSync(backup), "one");
  },
});

Deno.test("writeSettingsFile leaves a file that has changed meanwhile", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/settings.json`;
  const message = /^Nothing was changed: .*settings\.json cannot be written: it has just changed/;
  const absent = read(path);
  Deno.writeTextFileSync(path, "theirs");
  assert.throws(() => writeSettingsFile(absent, "ours", NOW), { name: "BridgeError", message });
  const before = read(path);
  Deno.writeTextFileSync(path, "theirz");
  assert.throws(() => writeSettingsFile(before, "ours", NOW), { name: "BridgeError", message });
  assert.equal(Deno.readTextFileSync(path), "theirz");
  assert.deepEqual(await names(folder), ["settings.json"]);
});

Deno.test("readSettingsFile refuses what is no text file", async () => {
  const folder = await Deno.makeTempDir();
  Deno.writeFileSync(`${folder}/latin`, new Uint8Array([0x7b, 0xe9, 0x7d]));
  const table: [string, RegExp][] = [
    [folder, /^Nothing was changed: .* cannot be read: it is no file$/],
    [`${folder}/latin`, /^Nothing was changed: .*latin cannot be read: it is not UTF-8$/],
  ];
  if (UNIX) {
    Deno.symlinkSync(`${folder}/gone`, `${folder}/link`);
    table.push([`${folder}/link`, /cannot be read: it is a link that leads nowhere$/]);
    table.push(["/dev/null", /cannot be read: it is no file$/]);
  }
  for (const [path, message] of table) {
    assert.throws(() => read(path), { name: "BridgeError", message });
  }
});
