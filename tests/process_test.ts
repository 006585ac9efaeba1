import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import manifest from "../deno.json" with { type: "json" };
import { assertAcp } from "./acp_schema.ts";
import { readLines } from "../lib/jsonl.ts";
import { bridgeCommand, startProcess } from "./process.ts";
import { Said } from "./support.ts";
import { FRAMES, startTcpService, STREAM_HEAD, write } from "./tcp_service.ts";
import { play, transcriptNames } from "./transcripts.ts";

const KEY = "test-key-0123456789";

/** Runs the bridge with nothing on stdin, to its end. */
async function run(options: Parameters<typeof startProcess>[0]) {
  const child = startProcess(options);
  await child.stdin.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Starts the bridge and speaks with it. */
function start(options: Parameters<typeof startProcess>[0]) {
  const child = startProcess(options);
  const writer = child.stdin.getWriter();
  const lines = readLines(child.stdout);
  const stderr = new Response(child.stderr).text();
  /** The methods of the requests that were sent, by their ids. */
  const methods = new Map<unknown, string>();
  return {
    child,
    stderr,
    end: () => writer.close(),
    /** Waits until the process has ended; its status, and what it said on stderr. */
    async ended() {
      for await (const _ of lines);
      const { code } = await child.status;
      await writer.close().catch(() => {}); // closed by the test, or with the process
      return { code, stderr: await stderr };
    },
    send(message: { id?: unknown; method?: string; params?: unknown }) {
      methods.set(message.id, message.method ?? "");
      return writer.write(
        new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
      );
    },
    async receive(isIt: (said: Said) => boolean): Promise<Said> {
      while (true) {
        const { done, value } = await lines.next();
        if (done) throw new Error(`the bridge ended: ${await stderr}`);
        const said = v.parse(Said, JSON.parse(String(value)));
        assertAcp(said, methods.get(said.id), String(value));
        if (isIt(said)) return said;
      }
    },
  };
}

/** Starts a session with the practice service, and a prompt that is being answered. */
async function startTurn(options: Parameters<typeof startProcess>[0] = {}) {
  const bridge = start({ args: ["--demo"], ...options });
  await bridge.send({ id: 1, method: "initialize", params: { protocolVersion: "1.0" } });
  await bridge.send({ id: 2, method: "session/new" });
  const { result } = await bridge.receive(({ id }) => id === 2);
  const session = JSON.parse(JSON.stringify(result));
  await bridge.send({ id: 3, method: "session/prompt", params: { ...session, prompt: "hi" } });
  await bridge.receive(({ method }) => method === "session/update");
  return bridge;
}

const isPrompt = ({ id }: Said) => id === 3;
const cancelled = { stopReason: "cancelled" };

for (const name of transcriptNames()) {
  Deno.test(`transcript ${name} holds for the program`, async () => {
    const child = startProcess({ args: ["--demo"] });
    await play(name, { input: child.stdin, output: child.stdout });
    assert.deepEqual(await new Response(child.stderr).text(), "");
    assert.equal((await child.status).code, 0);
  });
}

Deno.test("main prints its help and its version", async () => {
  const help = await run({ args: ["--help"], env: { PATBA_HOST: "no URL" } });
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /^patb-cli-bridge brings .*PATBA_API_KEY.* chat --demo$/ms);
  const version = await run({ args: ["--version"] });
  assert.deepEqual(version, { code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

Deno.test("main prints in silence to nobody", async () => {
  const child = startProcess({ args: ["--help"] });
  await child.stdout.cancel();
  await child.stdin.close();
  assert.equal((await child.status).code, 0);
  assert.equal(await new Response(child.stderr).text(), "");
});

Deno.test("main says in one line what is wrong with its configuration", async () => {
  const table: [string[], Record<string, string>, RegExp][] = [
    [["--nope"], {}, /Unknown argument "--nope"/],
    [["--host"], {}, /--host needs a value/],
    [["--host", "http://service.test"], { PATBA_API_KEY: KEY }, /https/],
    [[], { PATBA_HOST: "nowhere" }, /PATBA_HOST must be a URL/],
  ];
  await Promise.all(table.map(async ([args, env, message]) => {
    const { code, stdout, stderr } = await run({ args, env });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^patb-cli-bridge: [^\n]+\n$/);
    assert.match(stderr, message);
  }));
});

Deno.test("main ends at once, and in silence, when its input ends", async () => {
  assert.deepEqual(await run({}), { code: 0, stdout: "", stderr: "" });
});

Deno.test("main reads a .env file in the working directory, whatever is there", async () => {
  const cwd = await Deno.makeTempDir();
  const dotenv = `${cwd}/.env`;
  try {
    await Deno.writeTextFile(dotenv, "PATBA_HOST=nowhere\n");
    assert.match((await run({ cwd })).stderr, /PATBA_HOST must be a URL/);
    assert.equal((await run({ cwd, env: { PATBA_HOST: "https://service.test" } })).stderr, "");
    await Deno.remove(dotenv);
    await Deno.mkdir(dotenv);
    assert.deepEqual(await run({ cwd }), { code: 0, stdout: "", stderr: "" });
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("main starts without a usable key, and session/new says what to do", async () => {
  const table: [Record<string, string>, RegExp][] = [
    [{}, /^No API key: set PATBA_API_KEY/],
    [{ PATBA_API_KEY: `${KEY}\n${KEY}` }, /PATBA_API_KEY has characters that no HTTP header/],
    [{ PATBA_API_KEY: "\ufffd" }, /PATBA_API_KEY has characters that no HTTP header/],
    [{ PATBA_API_KEY: `${KEY}世` }, /PATBA_API_KEY has characters that no HTTP header/],
  ];
  for (const [env, message] of table) {
    for (const [protocolVersion, code] of [["1.0", -32603], [1, -32000]]) {
      const bridge = start({ env });
      await bridge.send({ id: 1, method: "initialize", params: { protocolVersion } });
      await bridge.send({ id: 2, method: "session/new" });
      const { error } = await bridge.receive(({ id }) => id === 2);
      assert.equal(error?.code, code);
      assert.match(error?.message ?? "", message);
      assert.ok(!error?.message.includes(KEY));
      await bridge.end();
      assert.equal((await bridge.ended()).stderr, "");
    }
  }
});

Deno.test("main keeps the key that the user logs in with, for the next session", async () => {
  const seen: (string | null)[] = [];
  const service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const key = request.headers.get("x-api-key");
    seen.push(key);
    if (key !== KEY) return Response.json({ error: "401 Unauthorized" }, { status: 401 });
    if (request.method === "GET") return new Response(null, { status: 404 });
    return Response.json({ thread_id: "t" }, { status: 201 });
  });
  const home = await Deno.makeTempDir();
  const env = {
    XDG_CONFIG_HOME: home,
    APPDATA: home,
    PATBA_HOST: `http://127.0.0.1:${service.addr.port}`,
  };
  async function command(name: string, input: string) {
    const child = startProcess({ args: [name], env, history: true }); // it takes no such flag
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { code, stdout } = await child.output();
    return [code, new TextDecoder().decode(stdout).split(/[:.]/)[0]];
  }
  const editor = start({ env });
  await editor.send({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
  const open = async (id: number) => {
    await editor.send({ id, method: "session/new" });
    return (await editor.receive((said) => said.id === id)).error?.code;
  };
  assert.equal(await open(2), -32000);
  assert.deepEqual(await command("login", "wrong\n"), [1, "The key was not kept"]);
  assert.equal(await open(3), -32000);
  assert.deepEqual(await command("login", `${KEY}\n`), [0, "Logged in"]);
  assert.equal(await open(4), undefined);
  assert.deepEqual(await command("logout", ""), [0, "Logged out"]);
  assert.equal(await open(5), -32000);
  await editor.end();
  await Promise.all([editor.ended(), service.shutdown()]);
  assert.deepEqual(seen, ["wrong", KEY, KEY]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("main goes on without its log where that cannot be written", async () => {
  const log = await Deno.makeTempFile();
  const demo = (path: string) => ["--demo", "--log-level", "trace", "--log-file", path];
  const table: [string, RegExp][] = [
    [log, /^$/],
    ["/no/such/folder/log", /^patb-cli-bridge: the log goes no further, \/no\/such.*\n$/],
    [new URL(".", import.meta.url).pathname, /^patb-cli-bridge: the log goes no further.*\n$/],
  ];
  for (const [path, stderr] of table) {
    const bridge = await startTurn({ args: demo(path), env: { PATBA_API_KEY: KEY } });
    assert.deepEqual((await bridge.receive(isPrompt)).result, { stopReason: "end_turn" });
    await bridge.end();
    const ended = await bridge.ended();
    assert.equal(ended.code, 0);
    assert.match(ended.stderr, stderr);
  }
  const bridge = start({
    args: ["--log-level", "trace", "--log-file", log],
    env: { PATBA_API_KEY: KEY },
  });
  await bridge.send({ id: 1, method: "initialize", params: { protocolVersion: "1.0", key: KEY } });
  await bridge.receive(({ id }) => id === 1);
  await bridge.end();
  await bridge.ended();
  const logged = await Deno.readTextFile(log);
  assert.match(logged, /"key":"\*\*\*"/);
  assert.match(logged, /debug: request 3: session\/prompt\n/);
  assert.match(logged, /trace: from the editor: {.*"prompt":"hi"/);
  assert.ok(!logged.includes(KEY));
  await Deno.remove(log);
});

Deno.test("main sends the key to a service on this machine by no proxy", async () => {
  const seen: string[] = [];
  const listen = (name: string) =>
    Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      seen.push(`${name} ${request.headers.get("x-api-key")}`);
      return Response.json({ thread_id: "t" }, { status: 201 });
    });
  const [service, proxy] = [listen("service"), listen("proxy")];
  const env = {
    PATBA_API_KEY: ` ${KEY}\n`,
    PATBA_HOST: `http://127.0.0.1:${service.addr.port}/prefix/`,
    HTTP_PROXY: `http://127.0.0.1:${proxy.addr.port}`,
  };
  const bridge = start({ env });
  await bridge.send({ id: 1, method: "initialize", params: { protocolVersion: "1.0" } });
  await bridge.send({ id: 2, method: "session/new" });
  assert.ok((await bridge.receive(({ id }) => id === 2)).result);
  await bridge.end();
  await bridge.ended();
  assert.deepEqual(seen, [`service ${KEY}`]);
  await Promise.all([service.shutdown(), proxy.shutdown()]);
});

Deno.test("main trusts a company's own certificates, when it is told to", async () => {
  const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
  const service = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: Deno.readTextFileSync(fixture("localhost.pem")),
    key: Deno.readTextFileSync(fixture("localhost-key.pem")),
    onListen() {},
  }, () => Response.json({ thread_id: "t" }, { status: 201 }));
  const host = `https://localhost:${service.addr.port}`;
  for (const [trusted, message] of [[true, undefined], [false, /TLS connection.*DENO_CERT/]]) {
    const file = fileURLToPath(fixture("authority.pem"));
    const trust = trusted ? { DENO_CERT: file } : {};
    const bridge = start({ env: { ...trust, PATBA_API_KEY: KEY, PATBA_HOST: host } });
    await bridge.send({ id: 1, method: "initialize", params: { protocolVersion: "1.0" } });
    await bridge.send({ id: 2, method: "session/new" });
    const { error } = await bridge.receive(({ id }) => id === 2);
    if (message instanceof RegExp) assert.match(error?.message ?? "", message);
    else assert.equal(error, undefined);
    await bridge.end();
    await bridge.ended();
  }
  await service.shutdown();
});

Deno.test("doctor sees whether the certificates of a company are trusted", async () => {
  const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
  const service = Deno.serve(
    {
      port: 0,
      hostname: "127.0.0.1",
      cert: Deno.readTextFileSync(fixture("localhost.pem")),
      key: Deno.readTextFileSync(fixture("localhost-key.pem")),
      onListen() {},
    },
    ({ url }) => url.endsWith("/health") ? new Response("OK") : new Response(null, { status: 404 }),
  );
  const env = { PATBA_API_KEY: KEY, PATBA_HOST: `https://localhost:${service.addr.port}` };
  const trust = { DENO_CERT: fileURLToPath(fixture("authority.pem")) };
  const trusted = await run({ args: ["doctor"], env: { ...env, ...trust } });
  assert.match(trusted.stdout, /^✓ TLS .*^✓ health .*^✓ key /ms);
  const untrusted = await run({ args: ["doctor"], env });
  assert.equal(untrusted.code, 1);
  assert.match(untrusted.stdout, /^✗ TLS .*DENO_CERT/m);
  await service.shutdown();
});

Deno.test("main closes a silent stream when its turn is cancelled, and runs the next", async () => {
  await using service = startTcpService((step, attempt) =>
    step === "stream" && attempt === 1
      ? async (connection, stopped) => {
        await write(connection, STREAM_HEAD + FRAMES.slice(0, FRAMES.indexOf("\n\n") + 2));
        await Promise.race([connection.read(new Uint8Array(1)), stopped]); // the end of it
        closed.resolve();
      }
      : undefined
  );
  const closed = Promise.withResolvers<void>();
  const bridge = start({ env: { PATBA_API_KEY: KEY, PATBA_HOST: service.url.href } });
  await bridge.send({ id: 1, method: "initialize", params: { protocolVersion: "1.0" } });
  await bridge.send({ id: 2, method: "session/new" });
  const { result } = await bridge.receive(({ id }) => id === 2);
  const params = JSON.parse(JSON.stringify(result));
  await bridge.send({ id: 3, method: "session/prompt", params: { ...params, prompt: "first" } });
  while (!service.requests.some((request) => request.endsWith("/stream"))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => setTimeout(resolve, 100)); // the read of the stream waits now
  await bridge.send({ method: "session/cancel", params });
  assert.deepEqual((await bridge.receive(isPrompt)).result, cancelled);
  await closed.promise;
  await bridge.send({ id: 4, method: "session/prompt", params: { ...params, prompt: "second" } });
  const next = await bridge.receive(({ id }) => id === 4);
  assert.deepEqual(next.result, { stopReason: "end_turn" });
  await bridge.end();
  await bridge.ended();
});

Deno.test("main finishes the turn it is in when its input ends", async () => {
  const bridge = await startTurn();
  await bridge.end();
  assert.deepEqual((await bridge.receive(isPrompt)).result, { stopReason: "end_turn" });
  assert.deepEqual(await bridge.ended(), { code: 0, stderr: "" });
});

const unix = { ignore: Deno.build.os === "windows" };

Deno.test("main takes an input that fails for one that ends, and says so", unix, async () => {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", '"$@" < /', "sh", ...bridgeCommand()],
  }).output();
  assert.deepEqual([code, stdout.length], [0, 0]);
  assert.match(new TextDecoder().decode(stderr), /the input cannot be read any more: .*directory/);
});

Deno.test("main ends on SIGTERM, and answers the turn it is in", unix, async () => {
  const bridge = await startTurn();
  bridge.child.kill("SIGTERM");
  assert.deepEqual((await bridge.receive(isPrompt)).result, cancelled);
  assert.deepEqual(await bridge.ended(), { code: 143, stderr: "" });
});

Deno.test("main cancels the turn on SIGINT, and ends on the next one", unix, async () => {
  const bridge = await startTurn();
  bridge.child.kill("SIGINT");
  assert.deepEqual((await bridge.receive(isPrompt)).result, cancelled);
  await bridge.send({ id: 4, method: "agents/list" });
  await bridge.receive(({ id }) => id === 4);
  bridge.child.kill("SIGINT");
  assert.deepEqual(await bridge.ended(), { code: 130, stderr: "" });
});

Deno.test("main ends in silence when nobody reads it any more", async () => {
  const child = startProcess({ args: ["--demo"] });
  await child.stdout.cancel();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode('{"id":1,"method":"agents/list"}\n'));
  assert.equal((await child.status).code, 0);
  assert.equal(await new Response(child.stderr).text(), "");
  await writer.abort().catch(() => {});
});

Deno.test("main does not outlive its parent, even where its input stays open", unix, async () => {
  const parent = new Deno.Command("sh", {
    args: ["-c", 'exec 3<&0; "$@" <&3 & wait', "sh", ...bridgeCommand(), "--demo"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = parent.stdin.getWriter();
  const lines = readLines(parent.stdout);
  await writer.write(new TextEncoder().encode('{"id":1,"method":"agents/list"}\n'));
  await lines.next(); // the bridge is at work
  parent.kill("SIGKILL");
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the bridge is still running")), 2000);
  assert.equal((await Promise.race([lines.next(), late.promise])).done, true); // its end is closed
  clearTimeout(timer);
  await parent.status;
  await writer.abort().catch(() => {});
});

Deno.test("the calls of a first write are begun in their order, though their code is loaded first", async () => {
  const initialize = { method: "initialize", params: { protocolVersion: 1 } };
  const open = { method: "session/new", params: { cwd: "/", mcpServers: [] } };
  const nowhere = { sessionId: "session_nowhere" };
  const prompt = { method: "session/prompt", params: { ...nowhere, prompt: [] } };
  const cancel = { id: undefined, method: "$/cancel_request", params: { requestId: 1 } };
  const cancelTurn = { id: undefined, method: "session/cancel", params: nowhere };
  /** The calls, whose ids are their places, and the answers' error codes by those. */
  const table: [object[], Record<number, number | undefined>][] = [
    [[initialize, open, cancelTurn], { 0: undefined, 1: undefined }],
    [[open, initialize, prompt], { 0: -32002, 1: undefined, 2: -32602 }],
    [[initialize, open, cancel], { 0: undefined, 1: -32800 }],
    [[initialize, prompt, cancel], { 0: undefined, 1: -32800 }],
    [[cancelTurn, { method: "nothing" }, { method: "logout" }], { 1: -32601, 2: undefined }],
    [[cancelTurn], {}],
  ];
  for (const [messages, answers] of table) {
    const child = startProcess({ args: ["--demo"] });
    const lines = messages.map((each, id) =>
      JSON.stringify({ jsonrpc: "2.0", id, ...each }) + "\n"
    );
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(lines.join("")));
    await writer.close();
    const { code, stdout } = await child.output();
    const said = new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "")
      .map((line) => v.parse(Said, JSON.parse(line)));
    const codes = said.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual([code, Object.fromEntries(codes)], [0, answers], lines.join(""));
    assert.equal(codes.length, Object.keys(answers).length);
  }
});
