import assert from "node:assert/strict";
import { TARGETS } from "../../lib/release/targets.ts";
import { findTarget, published } from "./support.ts";

const FILE = new URL("../../lib/release/install.ps1", import.meta.url);
const SCRIPT = await Deno.readTextFile(FILE);

Deno.test("install.ps1 names the platforms of the table that are Windows", () => {
  const named = [...SCRIPT.matchAll(/\$platform = '([^']+)'/g)].map(([, platform]) => platform);
  const made = TARGETS.filter(({ format }) => format === "zip").map(({ platform }) => platform);
  assert.deepEqual([...new Set(named)], made);
});

Deno.test("install.ps1 is ASCII, and does nothing before its last line", () => {
  // Windows PowerShell 5.1 takes a file without a byte order mark for the system's code page.
  assert.match(SCRIPT, /^[\n -~]*$/);
  assert.match(SCRIPT, /\n}\n\nInstall-PatbCliBridge\b.*\n$/);
  assert.match(SCRIPT, /^(#.*\n)+\nfunction Install-PatbCliBridge \{\n/);
});

/** The PowerShells of this machine; the installer is for Windows alone. */
const shells = Deno.build.os === "windows" ? ["powershell", "pwsh"] : [];

async function isThere(shell: string): Promise<boolean> {
  const args = ["-NoProfile", "-Command", "exit"];
  return await new Deno.Command(shell, { args }).output().then(() => true, () => false);
}

for (const shell of ["powershell", "pwsh"]) {
  const ignore = !shells.includes(shell) || !await isThere(shell);
  Deno.test(
    { name: `install.ps1 installs, replaces and refuses, with ${shell}`, ignore },
    async () => {
      // What it installs must run there and know `--version`.
      const program = await Deno.readFile(Deno.execPath());
      const files = await published("1.2.3", findTarget("windows-x86_64"), program);
      const folder = await Deno.makeTempDir({ prefix: "own bin " });
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        ({ url }) => {
          const name = new URL(url).pathname.split("/").at(-1) ?? "";
          return new Response(files.get(name) ?? null, { status: files.has(name) ? 200 : 404 });
        },
      );
      const install = async () => {
        const { success, stdout, stderr } = await new Deno.Command(shell, {
          args: ["-NoProfile", "-ExecutionPolicy", "Bypass", "-File", FILE.pathname.slice(1)],
          env: {
            PATBA_DOWNLOADS: `http://127.0.0.1:${server.addr.port}`,
            PATBA_INSTALL_DIR: folder,
          },
        }).output();
        const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
        return { success, text };
      };
      const target = `${folder}\\patb-cli-bridge.exe`;
      for (let time = 0; time < 2; time++) {
        const { success, text } = await install();
        assert.ok(success, text);
        assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), [
          "patb-cli-bridge.exe",
        ]);
        assert.equal((await Deno.stat(target)).size, program.length);
      }
      await Deno.remove(target);
      files.set("patb-cli-bridge-1.2.3-windows-x86_64.zip", new Uint8Array(10));
      const { success, text } = await install();
      assert.ok(!success);
      assert.match(text, /checksum/);
      assert.deepEqual([...Deno.readDirSync(folder)], []);
      await Deno.remove(folder, { recursive: true });
    },
  );
}
