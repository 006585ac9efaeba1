import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { systemClock } from "../lib/clock.ts";
import { createDemo } from "../lib/service/demo.ts";
import { checksumLines, sha256 } from "../lib/release/checksums.ts";
import { bridgeCommand } from "./process.ts";

const ROOT = new URL("../", import.meta.url);
const KEY = "test-key-0123456789";

const documents = await Promise.all(
  ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map((name) =>
    Deno.readTextFile(new URL(name, ROOT))
  ),
);

/** A command that is run as it stands in a document, and what it must print. */
interface Run {
  stdin?: string;
  prints: RegExp;
}

/** Every command of the documents: how it is run here, or which file runs it, with what in it. */
const COMMANDS: Record<string, Run | [file: string, mention: string]> = {
  "npx -y deno@2.8.3 task start chat --demo": { stdin: "hello\n", prints: /^Greetings\./ },
  "npx -y deno@2.8.3 task start zed": { prints: /^\{\n {2}"agent_servers"/ },
  "npx -y deno@2.8.3 task demo": { prints: /\(exit status 0\)\n$/ },
  "npx -y deno@2.8.3 task test": [".ci/run", "task ok"],
  "sh install.sh": ["tests/release/install_sh_test.ts", "install.sh"],
  "powershell -ExecutionPolicy Bypass -File install.ps1": [
    "tests/release/install_ps1_test.ts",
    "install.ps1",
  ],
  "sha256sum --check --ignore-missing SHA256SUMS": { prints: /^patb-cli-bridge-.*: OK\n$/ },
  // The systems that have these two, and the site that has the third, are not at hand everywhere.
  "xattr -d com.apple.quarantine ~/.local/bin/patb-cli-bridge": ["README.md", "macOS"],
  'Unblock-File "$HOME\\.local\\bin\\patb-cli-bridge.exe"': ["README.md", "SmartScreen"],
  "gh attestation verify patb-cli-bridge-1.0.0-linux-x86_64.tar.gz --repo OWNER/patb-cli-bridge": [
    ".github/workflows/release.yml",
    "attest-build-provenance",
  ],
  "deno task compile": [".ci/run", "task compile"],
  "patb-cli-bridge login": { stdin: `${KEY}\n`, prints: /^Logged in/ },
  "patb-cli-bridge zed": { prints: /^\{\n {2}"agent_servers"/ },
  "patb-cli-bridge zed --write": { prints: /^\+ {4}"The Brain": \{$/m },
  "patb-cli-bridge doctor": { prints: /^All is well\.$/m },
  "patb-cli-bridge doctor --turn": { prints: /^✓ turn +a reply after .*: Greetings/m },
  "patb-cli-bridge --version": { prints: /^\d+\.\d+\.\d+\n$/ },
  "echo question | patb-cli-bridge chat": { prints: /^Greetings\./ },
  "patb-cli-bridge logout": { prints: /^Logged out/ },
  'PATBA_API_KEY="your key" npx -y acpx --agent /path/to/patb-cli-bridge exec "hello"': [
    ".ci/run",
    "npx -y acpx",
  ],
  [manifest.tasks.start.command]: ["tests/process.ts", "manifest.tasks.start.command"],
  "deno task ok": [".ci/run", "task ok"],
  "deno task test": [".ci/run", "task ok"],
  "deno task start chat --demo": { stdin: "hello\n", prints: /^Greetings\./ },
  "deno task demo": { prints: /\(exit status 0\)\n$/ },
  "deno task test-binary": [".ci/run", "task test-binary"],
  "deno task soak 1000": { prints: /^1000 schedules/m },
  "deno task bench --short": [".ci/run", "task bench --short"],
  "deno task picture": ["tests/terminal_picture_test.ts", "drawSession"],
  "deno task release --target TRIPLE": ["tests/release/release_test.ts", "release("],
  "bash .ci/run": [".ci/run", "npx -y deno@2.8.3"],
};

/** The commands of a document: the lines of its shells, and what its text and tables name. */
function commandsOf(document: string): string[] {
  const blocks = document.matchAll(/^```(?:sh|powershell)\n(.*?)^```/gms);
  const lines = [...blocks].flatMap(([, block = ""]) => block.trim().split("\n"));
  const inline = [...document.matchAll(/`((?:[a-z ]+\\\| )?patb-cli-bridge [^`]+)`/g)]
    .map(([, code = ""]) => code.replace("\\|", "|"));
  const cells = [...document.matchAll(/^\| `((?:deno|bash) .*?)`/gm)].map(([, cell = ""]) => cell);
  return [...lines, ...inline, ...cells].map((line) => line.replace(/\s+# .*$/, ""));
}

Deno.test("every command in the documents is run by a test, and each that is named is there", async () => {
  assert.deepEqual(
    [...new Set(documents.flatMap(commandsOf))].toSorted(),
    Object.keys(COMMANDS).toSorted(),
  );
  for (const how of Object.values(COMMANDS)) {
    if (!Array.isArray(how)) continue;
    const [file, mention] = how;
    assert.ok(
      (await Deno.readTextFile(new URL(file, ROOT))).includes(mention),
      `${file}: ${mention}`,
    );
  }
});

/** What a shell needs to run a document's command: `deno` and the program are those of the tests. */
async function shell(folder: string): Promise<Record<string, string>> {
  const bin = `${folder}/bin`;
  await Deno.mkdir(bin);
  const programs = { "patb-cli-bridge": bridgeCommand(), "deno": [Deno.execPath()] };
  for (const [name, command] of Object.entries(programs)) {
    const words = command.map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(`${bin}/${name}`, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  }
  return {
    PATH: `${bin}:${Deno.env.get("PATH")}`,
    HOME: `${folder}/home`,
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    NO_COLOR: "1",
  };
}

const unix = { ignore: Deno.build.os === "windows" };

Deno.test("the commands in the documents do what they say", unix, async (test) => {
  const practice = createDemo({ clock: systemClock });
  const service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { method, url, headers } = request;
    const isKnown = url.endsWith("/health") || headers.get("x-api-key") === KEY;
    if (!isKnown) return new Response(null, { status: 401 });
    return await practice(new URL(url), { method, headers, body: await request.text() || null });
  });
  const folder = await Deno.makeTempDir();
  const archive = "patb-cli-bridge-1.0.0-linux-x86_64.tar.gz";
  await Deno.writeTextFile(`${folder}/${archive}`, "bytes");
  await Deno.writeTextFile(
    `${folder}/SHA256SUMS`,
    checksumLines(new Map([[archive, await sha256(new TextEncoder().encode("bytes"))]])),
  );
  const env = {
    ...await shell(folder),
    PATBA_HOST: `http://127.0.0.1:${service.addr.port}`,
  };
  for (const [command, how] of Object.entries(COMMANDS)) {
    if (Array.isArray(how)) continue;
    await test.step(command, async () => {
      const inClone = /\btask\b/.test(command);
      const child = new Deno.Command("sh", {
        args: ["-c", command.replace("npx -y deno@2.8.3", "deno")],
        cwd: inClone ? ROOT : folder,
        env,
        clearEnv: true, // the user's own settings, keys and sessions are none of a test's business
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(how.stdin ?? ""));
      await writer.close();
      const { code, stdout, stderr } = await child.output();
      const decoder = new TextDecoder();
      assert.equal(code, 0, decoder.decode(stderr));
      assert.match(decoder.decode(stdout), how.prints);
    });
  }
  await service.shutdown();
  await Deno.remove(folder, { recursive: true });
});
