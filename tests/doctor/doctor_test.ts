import assert from "node:assert/strict";
import * as v from "valibot";
import { readCommandLine } from "../../lib/command_line/command_line.ts";
import type { Variables } from "../../lib/command_line/options.ts";
import { doctor } from "../../lib/doctor/doctor.ts";
import type { NetworkVariables } from "../../lib/network_variables.ts";
import type { UserEnvironment } from "../../lib/user_folders.ts";
import { fakeSurroundings, fakeTerminal, homeUser } from "../surroundings.ts";

const KEY = "test-key-0123456789";

/** What `doctor` says, and its status. */
async function examine(line: string, { environment = {}, network = {}, user, colors = false }: {
  environment?: Variables;
  network?: NetworkVariables;
  user?: UserEnvironment;
  colors?: boolean;
}) {
  const home = await Deno.makeTempDir();
  try {
    const { surroundings } = fakeSurroundings({
      environment,
      user: user ?? homeUser(home),
    });
    const { terminal, stdout } = fakeTerminal({ isOutput: colors, colors });
    const { options } = readCommandLine(["doctor", ...line.split(" ").filter(Boolean)]);
    const sources = { options, environment, dotenv: {} };
    const status = await doctor(sources, {
      surroundings,
      terminal,
      platform: "test",
      network,
      lookup: (name) =>
        name === "127.0.0.1" ? Promise.resolve([name]) : Promise.reject(new Error("no")),
    });
    assert.deepEqual([...Deno.readDirSync(home)], [], "doctor leaves nothing behind");
    return { status, text: stdout().replaceAll(home, "~") };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** A port of this machine that nobody listens at. */
function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** A service that knows one key. */
function startService(health = 200) {
  const service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") {
      assert.equal(request.headers.get("x-api-key"), null);
      return new Response("OK", { status: health });
    }
    return new Response(null, { status: request.headers.get("x-api-key") === KEY ? 404 : 401 });
  });
  return {
    environment: { PATBA_HOST: `http://127.0.0.1:${service.addr.port}`, PATBA_API_KEY: KEY },
    [Symbol.asyncDispose]: () => service.shutdown(),
  };
}

Deno.test("doctor finds all well where it is, and shows the key's ends only", async () => {
  await using service = startService();
  const { environment } = service;
  const { status, text } = await examine("", { environment });
  assert.equal(status, 0);
  const lines = [
    /^✓ program +patb-cli-bridge 9\.9\.9 on test$/m,
    /^✓ settings +/m,
    /^ +key +test…6789 \(PATBA_API_KEY in the environment\)$/m,
    /^ +host +http:\/\/127\.0\.0\.1:\d+ \(PATBA_HOST in the environment\)$/m,
    /^ +turn-timeout +900 \(default\)$/m,
    /^✓ proxy +none$/m,
    /^✓ certificates +/m,
    /^✓ config +~.*patb-cli-bridge can be made$/m,
    /^✓ state +~.*patb-cli-bridge can be made$/m,
    /^✓ host +127\.0\.0\.1 is 127\.0\.0\.1$/m,
    /^✓ connection +127\.0\.0\.1:\d+ takes connections$/m,
    /^✓ health +127\.0\.0\.1:\d+ answers, after \d+ ms$/m,
    /^✓ key +the service takes it$/m,
    /^All is well\.$/m,
  ];
  for (const line of lines) assert.match(text, line);
  assert.ok(!text.includes(KEY));
});

Deno.test("doctor has a whole turn when it is told to", async () => {
  const { status, text } = await examine("--demo --turn", {});
  assert.equal(status, 0);
  assert.match(text, /^✓ turn +a reply after \d+\.\d s: Greetings\./m);
});

Deno.test("doctor says what is wrong, and what to do", async () => {
  await using service = startService();
  await using ill = startService(500);
  const { environment } = service;
  const nobody = { ...environment, PATBA_HOST: `http://127.0.0.1:${closedPort()}` };
  const file = await Deno.makeTempFile();
  const table: [string, Parameters<typeof examine>[1], RegExp][] = [
    ["--turn-timeout soon", { environment }, /^✗ settings +--turn-timeout must be/m],
    ["", { environment: nobody }, /^✗ connection +Cannot connect: .* refused.*check PATBA_HOST/m],
    [
      "--host https://no-such-name.invalid",
      { environment },
      /^✗ host +no-such-name\.invalid cannot be found; check PATBA_HOST/m,
    ],
    ["", { environment: ill.environment }, /^✗ health +.* answered 500/m],
    [
      "",
      { environment: { ...environment, PATBA_API_KEY: "" } },
      /^✗ key +No API key: set/m,
    ],
    [
      "",
      { environment: { ...environment, PATBA_API_KEY: "wrong" } },
      /^ +key +of 5 characters .*^✗ key +.*401.*check PATBA_API_KEY/ms,
    ],
    [
      "",
      { environment, network: { DENO_CERT: "/no/such.pem" } },
      /^✗ certificates +DENO_CERT=\/no\/such\.pem is of no use: NotFound.*PEM/m,
    ],
    ["", { environment, network: { DENO_CERT: file } }, /no PEM certificates are in it/],
    ["", { environment, user: { os: "linux" } }, /^✗ state +.*set HOME$/m],
    ["", { environment, user: { os: "windows" } }, /^✗ state +.*LOCALAPPDATA$/m],
    [
      "",
      { environment, user: { os: "linux", HOME: file } },
      /^✗ state +.*cannot be written/m,
    ],
  ];
  for (const [line, given, message] of table) {
    const { status, text } = await examine(line, given);
    assert.match(text, message);
    assert.equal(status, 1, text);
    assert.match(text, /^Not as it should be: /m);
    assert.ok(!text.includes(KEY));
  }
  await Deno.remove(file);
});

Deno.test("doctor forgives what is not needed", async () => {
  await using service = startService();
  const { environment } = service;
  const { status, text } = await examine("--no-history", { environment, user: { os: "linux" } });
  assert.equal(status, 0);
  assert.match(text, /^All that is needed works; not as it should be: config, state\.$/m);
});

Deno.test("doctor takes nobody else for the service", async () => {
  const other = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("<html>Please log in to this network</html>"),
  );
  const environment = {
    PATBA_HOST: `http://127.0.0.1:${other.addr.port}`,
    PATBA_API_KEY: KEY,
  };
  const { status, text } = await examine("", { environment });
  assert.equal(status, 1);
  assert.match(text, /^✗ health +.*something else than OK; check that PATBA_HOST/m);
  await other.shutdown();
});

Deno.test("doctor shows no password of a host that it refuses", async () => {
  const environment = { PATBA_HOST: "https://me:secret@service.test/?token=secret" };
  const { status, text } = await examine("", { environment });
  assert.equal(status, 1);
  assert.match(text, /host +https:\/\/\*\*\*@service\.test/);
  assert.ok(!text.includes("secret"));
});

Deno.test("doctor shows the proxy without its password", async () => {
  const network = { HTTPS_PROXY: "http://me:sec/ret@proxy.test:3128", NO_PROXY: "a.test" };
  const { text } = await examine("--demo", { network });
  assert.match(text, /^ {4}HTTPS_PROXY +http:\/\/\*\*\*@proxy\.test:3128$/m);
  assert.ok(!text.includes("ret@"));
});

Deno.test("doctor prints JSON, and colours on a terminal alone", async () => {
  const Report = v.object({
    ok: v.boolean(),
    findings: v.array(v.object({ name: v.string(), ok: v.boolean(), detail: v.string() })),
  });
  const { text } = await examine("--demo --json", { colors: true });
  const report = v.parse(Report, JSON.parse(text));
  assert.equal(report.ok, true);
  assert.deepEqual(report.findings.map(({ name }) => name), [
    "program",
    "settings",
    "proxy",
    "certificates",
    "config",
    "state",
    "health",
    "key",
  ]);
  // The colours themselves depend on NO_COLOR, which the process tests set.
  assert.ok(!(await examine("--demo", {})).text.includes("\u001b"));
});
