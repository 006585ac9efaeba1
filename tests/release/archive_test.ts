import assert from "node:assert/strict";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { makeArchive } from "../../lib/release/archive.ts";
import { checksumLines, sha256 } from "../../lib/release/checksums.ts";
import { MODIFIED } from "./support.ts";

const FILES = [
  {
    name: "program",
    bytes: new Uint8Array(100_000).map((_, index) => index % 251),
    executable: true,
  },
  { name: "README.md", bytes: new TextEncoder().encode("# Read"), executable: false },
];

Deno.test("makeArchive puts files, their modes and time into a tar.gz", async () => {
  const bytes = await makeArchive("tar.gz", FILES, MODIFIED);
  const tar = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  const entries = await unpackTar(await new Response(tar ?? null).arrayBuffer());
  assert.deepEqual(
    entries.map(({ header: { name, mode, mtime, uid, gid, type }, data }) => [
      name,
      mode?.toString(8),
      mtime?.toISOString(),
      [uid, gid, type],
      data,
    ]),
    FILES.map(({ name, executable, bytes }) => [
      name,
      executable ? "755" : "644",
      MODIFIED.toISOString(),
      [0, 0, "file"],
      bytes,
    ]),
  );
});

Deno.test("makeArchive puts files, their modes and the day into a zip", async () => {
  const bytes = await makeArchive("zip", FILES, MODIFIED);
  const files = unzipSync(bytes);
  assert.deepEqual(Object.keys(files), ["program", "README.md"]);
  for (const { name, bytes } of FILES) assert.deepEqual(new Uint8Array(files[name] ?? []), bytes);
  // The central directory (APPNOTE.TXT §4.3.12): time and date at 12, attributes at 38.
  const view = new DataView(bytes.buffer);
  const starts = [...bytes.keys()].filter((at) =>
    at + 4 <= bytes.length && view.getUint32(at) === 0x504b0102
  );
  assert.deepEqual(
    starts.map((at) => [
      view.getUint16(at + 12, true),
      view.getUint16(at + 14, true),
      (view.getUint32(at + 38, true) >>> 16).toString(8),
    ]),
    ["100755", "100644"].map((mode) => [12 << 11, (46 << 9) | (3 << 5) | 4, mode]),
  );
});

Deno.test("makeArchive makes the same bytes in every time zone, and others at another time", async () => {
  const archives = (modified: string) => `
    import { makeArchive } from ${
    JSON.stringify(new URL("../../lib/release/archive.ts", import.meta.url))
  };
    import { sha256 } from ${
    JSON.stringify(new URL("../../lib/release/checksums.ts", import.meta.url))
  };
    const files = [{ name: "a", bytes: new Uint8Array(9), executable: true }];
    for (const format of ["zip", "tar.gz"]) {
      console.log(await sha256(await makeArchive(format, files, new Date("${modified}"))));
    }`;
  async function hashes(zone: string, modified: string): Promise<string[]> {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-check", archives(modified)],
      env: { TZ: zone },
    }).output();
    return new TextDecoder().decode(stdout).trim().split("\n");
  }
  const time = "2026-03-04T23:06:07Z";
  const here = await hashes("UTC", time);
  assert.equal(here.length, 2);
  assert.deepEqual(await hashes("Pacific/Kiritimati", time), here);
  const later = await hashes("UTC", "2026-03-05T23:06:07Z");
  assert.ok(later.every((hash, index) => hash !== here[index]));
});

Deno.test("checksumLines are what sha256sum -c takes", async () => {
  const sum = await sha256(new TextEncoder().encode("abc")); // FIPS 180-2, appendix B.1
  assert.equal(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(checksumLines(new Map([["a", sum], ["b", sum]])), `${sum}  a\n${sum}  b\n`);
});
