import assert from "node:assert/strict";
import { TARGETS } from "../../lib/release/targets.ts";
import { findTarget, type Published, published } from "./support.ts";

const SCRIPT = await Deno.readTextFile(new URL("../../lib/release/install.sh", import.meta.url));
const LINUX = findTarget("linux-x86_64");
const EXECUTABLE = '#!/bin/sh\n[ "$1" = --version ] && echo 1.2.3\n';
/** What the script may call; `sh` is there for the executable. */
const TOOLS = [
  "curl",
  "sha256sum",
  "tar",
  "gzip",
  "mktemp",
  "mkdir",
  "rm",
  "rmdir",
  "cp",
  "chmod",
  "mv",
];
const FAKES = {
  uname: '#!/bin/sh\nif [ "$1" = -m ]; then echo x86_64; else echo Linux; fi\n',
  ldd: "#!/bin/sh\necho 'ldd (GNU libc) 2.39'\n",
};
const ignore = Deno.build.os === "windows";

/** What is set up for one run of the installer. */
interface Setup {
  files: Published;
  /** The root of the test's folder, which has a space in its name. */
  root: string;
  home: string;
  /** The address that has the releases. */
  downloads: string;
  /** Answers a path, instead of the files. */
  answer?: (path: string) => Response | undefined;
  /** Runs the installer; nothing of this process's environment is in its own. */
  install: (options?: {
    shell?: string;
    tools?: string[];
    fakes?: Record<string, string>;
    /** What stands on the PATH behind the tools and fakes. */
    path?: string;
    env?: Record<string, string>;
    started?: (child: Deno.ChildProcess) => void;
  }) => Promise<{ code: number; out: string; err: string }>;
}

/** Runs a test with a release for Linux that a server on this machine has, and an empty home. */
async function withRelease(test: (setup: Setup) => Promise<void>): Promise<void> {
  const files = await published("1.2.3", LINUX, EXECUTABLE);
  const root = await Deno.makeTempDir({ prefix: "the user's $home " });
  const setup: Setup = { files, root, home: `${root}/home`, downloads: "", install };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const path = new URL(url).pathname;
    const [, , name = ""] = path.match(/^\/(latest\/download|download\/v1\.2\.3)\/([^/]+)$/) ?? [];
    return setup.answer?.(path) ?? new Response(files.get(name) ?? null, {
      status: files.has(name) ? 200 : 404,
    });
  });
  setup.downloads = `http://127.0.0.1:${server.addr.port}`;
  await Deno.mkdir(setup.home);
  await Deno.mkdir(`${root}/tmp`);
  await Deno.writeTextFile(`${root}/install.sh`, SCRIPT);

  async function install(
    { shell = "sh", tools = TOOLS, fakes = {}, path = "", env = {}, started }: NonNullable<
      Parameters<Setup["install"]>[0]
    > = {},
  ) {
    const bin = await Deno.makeTempDir({ dir: root });
    for (const tool of tools) await Deno.symlink(await which(tool), `${bin}/${tool}`);
    for (const [name, text] of Object.entries({ ...FAKES, ...fakes })) {
      await Deno.writeTextFile(`${bin}/${name}`, text, { mode: 0o755 });
    }
    const child = new Deno.Command(await which(shell), {
      args: [`${root}/install.sh`],
      clearEnv: true,
      env: {
        PATH: path === "" ? bin : `${bin}:${path}`,
        HOME: setup.home,
        TMPDIR: `${root}/tmp`,
        PATBA_DOWNLOADS: setup.downloads,
        ...env,
      },
      cwd: root,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    started?.(child);
    const { code, stdout, stderr } = await child.output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, out: text(stdout), err: text(stderr) };
  }

  try {
    await test(setup);
  } finally {
    await server.shutdown();
    await Deno.remove(root, { recursive: true });
  }
}

async function which(tool: string): Promise<string> {
  for (const folder of ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]) {
    const path = `${folder}/${tool}`;
    if (await Deno.stat(path).then(() => true, () => false)) return path;
  }
  throw new Error(`There is no ${tool} on this machine`);
}

async function has(tool: string): Promise<boolean> {
  return await which(tool).then(() => true, () => false);
}

/** Every path under a folder, hidden ones too. */
function paths(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? [path, ...paths(path)] : [path];
  });
}

function assertNothingLeft({ home, root }: Setup): void {
  const left = [...paths(home), ...paths(`${root}/tmp`)];
  // The folders that lead to an install folder may stay; they are empty.
  assert.deepEqual(left.filter((path) => path !== `${home}/.local`), []);
}

/** Expects a run to fail with a message, and to leave nothing. */
async function assertRefused(
  setup: Setup,
  message: RegExp,
  options: Parameters<Setup["install"]>[0] = {},
): Promise<void> {
  const { code, err } = await setup.install(options);
  assert.equal(code, 1, err);
  assert.match(err, message);
  assertNothingLeft(setup);
}

function installerTest(name: string, test: (setup: Setup) => Promise<void>): void {
  Deno.test({ name: `install.sh ${name}`, ignore, fn: () => withRelease(test) });
}

const WAYS: [string, string, string[]][] = [
  ["sh with curl and sha256sum", "sh", ["curl", "sha256sum"]],
  ["dash with wget and shasum", "dash", ["wget", "shasum", "perl"]],
  ["bash with curl and openssl", "bash", ["curl", "openssl"]],
];
for (const [name, shell, own] of WAYS) {
  installerTest(`installs the program: ${name}`, async (setup) => {
    const { root, home, install } = setup;
    for (const tool of [shell, ...own]) {
      if (!await has(tool)) return; // not on every machine
    }
    const tools = [...TOOLS.filter((tool) => !["curl", "sha256sum"].includes(tool)), ...own];
    const { code, out, err } = await install({ shell, tools });
    assert.equal(code, 0, err);
    const target = `${home}/.local/bin/patb-cli-bridge`;
    assert.equal(await Deno.readTextFile(target), EXECUTABLE);
    assert.equal(((await Deno.stat(target)).mode ?? 0) & 0o777, 0o755);
    assert.deepEqual(paths(`${home}/.local/bin`), [target]);
    assert.deepEqual(paths(`${root}/tmp`), []);
    assert.ok(out.startsWith(`Installed patb-cli-bridge 1.2.3 as ${target}\n`), out);
    assert.match(out, /is not on your PATH/);
    for (const next of ["chat --demo", "login", "zed --write", "doctor"]) {
      assert.ok(out.includes(`patb-cli-bridge ${next} `), next);
    }
    assert.equal(err, "");
  });
}

installerTest("replaces a program that is running, and heeds version and folder", async (setup) => {
  const { root, install } = setup;
  const folder = `${root}/own bin`;
  await Deno.mkdir(folder);
  const target = `${folder}/patb-cli-bridge`;
  await Deno.copyFile(await which("cat"), target);
  const running = new Deno.Command(target, { stdin: "piped", stdout: "null" }).spawn();
  const env = { PATBA_VERSION: "v1.2.3", PATBA_INSTALL_DIR: "own bin/" };
  const { code, out, err } = await install({ env });
  await running.stdin.close();
  assert.equal((await running.status).success, true);
  assert.equal(code, 0, err);
  assert.ok(out.includes(`as ${target}\n`), out);
  assert.equal(await Deno.readTextFile(target), EXECUTABLE);
});

installerTest("says what comes first on the PATH, where that is another program", async (setup) => {
  const run = { path: setup.home, env: { PATBA_INSTALL_DIR: setup.home } };
  assert.doesNotMatch((await setup.install(run)).out, /PATH/);
  const fakes = { "patb-cli-bridge": "#!/bin/sh\n" };
  assert.match(
    (await setup.install({ ...run, fakes })).out,
    /Another one comes first on your PATH/,
  );
});

installerTest("takes the archive of the version that SHA256SUMS names", async (setup) => {
  const asked: string[] = [];
  setup.answer = (path) => {
    asked.push(path);
    return undefined;
  };
  const { code, err } = await setup.install();
  assert.equal(code, 0, err);
  assert.deepEqual(asked, [
    "/latest/download/SHA256SUMS",
    "/download/v1.2.3/patb-cli-bridge-1.2.3-linux-x86_64.tar.gz",
  ]);
});

const ARCHIVE = "patb-cli-bridge-1.2.3-linux-x86_64.tar.gz";
const text = (lines: string) => new TextEncoder().encode(lines);

const BAD_RELEASES: [string, RegExp, (files: Published) => void][] = [
  ["an archive that was tampered with", /checksum of .* is wrong/, (files) => {
    files.get(ARCHIVE)?.fill(0, 100, 101);
  }],
  ["an archive that is cut off", /checksum of .* is wrong/, (files) => {
    files.set(ARCHIVE, files.get(ARCHIVE)?.slice(0, 100) ?? text(""));
  }],
  ["an archive that is not there", /404.*cannot download/s, (files) => files.delete(ARCHIVE)],
  ["no SHA256SUMS", /cannot download .*SHA256SUMS/, (files) => files.delete("SHA256SUMS")],
  ["no line for the platform", /no archive for linux-x86_64/, (files) => {
    files.set("SHA256SUMS", text(`${"0".repeat(64)}  other.txt\n`));
  }],
  ["a line that is cut off", /no archive for linux-x86_64/, (files) => {
    files.set("SHA256SUMS", files.get("SHA256SUMS")?.slice(0, -10) ?? text(""));
  }],
  ["no checksum in the line", /no checksum/, (files) => {
    files.set("SHA256SUMS", text(`abc  ${ARCHIVE}\n`));
  }],
  ["a name that leads elsewhere", /no archive for linux-x86_64/, (files) => {
    const name = "patb-cli-bridge-../../x-linux-x86_64.tar.gz";
    files.set("SHA256SUMS", text(`${"0".repeat(64)}  ${name}\n`));
  }],
];
for (const [name, message, spoil] of BAD_RELEASES) {
  installerTest(`refuses a release with ${name}`, async (setup) => {
    spoil(setup.files);
    await assertRefused(setup, message);
  });
}

installerTest("refuses a download that ends early", async (setup) => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(10_000));
    await connection.write(text("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort"));
  })();
  const PATBA_DOWNLOADS = `http://127.0.0.1:${listener.addr.port}`;
  await assertRefused(setup, /cannot download .*SHA256SUMS/, { env: { PATBA_DOWNLOADS } });
  await served;
});

const BAD_MACHINES: [string, RegExp, NonNullable<Parameters<Setup["install"]>[0]>][] = [
  ["a system that there is nothing for", /no patb-cli-bridge for Plan9 on x86_64/, {
    fakes: { uname: FAKES.uname.replace("Linux", "Plan9") },
  }],
  ["a processor that there is nothing for", /no patb-cli-bridge for Linux on riscv64/, {
    fakes: { uname: FAKES.uname.replace("x86_64", "riscv64") },
  }],
  ["a release without linux-aarch64", /no archive for linux-aarch64/, {
    fakes: { uname: FAKES.uname.replace("x86_64", "aarch64") },
  }],
  ["a release without darwin-x86_64", /no archive for darwin-x86_64/, {
    fakes: { uname: FAKES.uname.replace("Linux", "Darwin") },
  }],
  ["a release without darwin-aarch64", /no archive for darwin-aarch64/, {
    fakes: { uname: FAKES.uname.replace("Linux", "Darwin").replace("x86_64", "arm64") },
  }],
  ["a Linux with musl", /musl/, {
    fakes: { ldd: "#!/bin/sh\necho 'musl libc (x86_64)' >&2\nexit 1\n" },
  }],
  ["no HOME", /HOME is not set/, { env: { HOME: "" } }],
  ["no tar", /tar is needed/, { tools: TOOLS.filter((tool) => tool !== "tar") }],
  ["nothing to download with", /curl or wget is needed/, {
    tools: TOOLS.filter((tool) => tool !== "curl"),
  }],
  ["nothing to check with", /sha256sum, shasum or openssl is needed/, {
    tools: TOOLS.filter((tool) => tool !== "sha256sum"),
  }],
  ["a folder that is a file", /cannot make the folder/, {
    env: { PATBA_INSTALL_DIR: "install.sh" },
  }],
  ["a version that is none", /not a version/, { env: { PATBA_VERSION: "../x" } }],
  ["a version that there is not", /cannot download/, { env: { PATBA_VERSION: "9.9.9" } }],
  ["http from elsewhere", /not an https:\/\/ address/, {
    env: { PATBA_DOWNLOADS: "http://example.com/releases" },
  }],
  ["a user in the address", /not an address/, {
    env: { PATBA_DOWNLOADS: "http://127.0.0.1:80@example.com/" },
  }],
  ["no address at all", /not an address/, { env: { PATBA_DOWNLOADS: "" } }],
];
for (const [name, message, options] of BAD_MACHINES) {
  installerTest(`refuses ${name}`, (setup) => assertRefused(setup, message, options));
}

installerTest("refuses a disk that is full", async (setup) => {
  const tools = TOOLS.filter((tool) => tool !== "cp");
  const fakes = { cp: '#!/bin/sh\necho part >"$2"\nexit 1\n' };
  await assertRefused(setup, /cannot write into/, { tools, fakes });
});

Deno.test({
  name: "install.sh refuses a folder that cannot be written",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withRelease(async (setup) => { // in /proc even root cannot write
      await assertRefused(setup, /cannot write into \/proc;/, {
        env: { PATBA_INSTALL_DIR: "/proc" },
      });
      const env = { PATBA_INSTALL_DIR: "/proc/none/bin" };
      await assertRefused(setup, /cannot make the folder \/proc\/none\/bin;/, { env });
    }),
});

installerTest("refuses a program that does not run here, and keeps the old one", async (setup) => {
  const broken = await published("1.2.3", LINUX, "#!/bin/sh\nexit 127\n");
  for (const [name, bytes] of broken) setup.files.set(name, bytes);
  const target = `${setup.home}/patb-cli-bridge`;
  await Deno.writeTextFile(target, "old");
  const { code, err } = await setup.install({ env: { PATBA_INSTALL_DIR: setup.home } });
  assert.equal(code, 1);
  assert.match(err, /does not run on this machine/);
  assert.deepEqual(paths(setup.home), [target]);
  assert.equal(await Deno.readTextFile(target), "old");
});

for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  installerTest(`leaves nothing after ${signal}`, async (setup) => {
    let child: Deno.ChildProcess | undefined;
    setup.answer = (path) => {
      if (path.endsWith(".tar.gz")) child?.kill(signal);
      return undefined;
    };
    const { code } = await setup.install({ started: (started) => child = started });
    assert.equal(code, status);
    assertNothingLeft(setup);
  });
}

Deno.test("install.sh names the platforms of the table, but for Windows", () => {
  const named = [...SCRIPT.matchAll(/platform=(\S+) ;;/g)].map(([, platform]) => platform);
  const made = TARGETS.filter(({ format }) => format === "tar.gz").map(({ platform }) => platform);
  assert.deepEqual(named, made);
});

Deno.test("install.sh does nothing before its last line", { ignore }, async () => {
  const lines = SCRIPT.trimEnd().split("\n");
  assert.match(lines.pop() ?? "", /^main "\$@"/);
  const { success, stdout, stderr } = await new Deno.Command(await which("sh"), {
    args: ["-c", lines.join("\n")],
  }).output();
  assert.deepEqual([success, stdout.length, stderr.length], [true, 0, 0]);
});

const unchecked = { ignore: ignore || !await has("shellcheck") };
Deno.test("install.sh has no fault that shellcheck knows", unchecked, async () => {
  const { success, stdout } = await new Deno.Command(await which("shellcheck"), {
    args: [new URL("../../lib/release/install.sh", import.meta.url).pathname],
  }).output();
  assert.ok(success, new TextDecoder().decode(stdout));
});
