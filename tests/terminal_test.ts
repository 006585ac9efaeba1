import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { linux, openTerminal } from "./pseudo_terminal.ts";

/** A port of this machine that nobody listens at. */
function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

const ESCAPE = "\u001b";
const [CTRL_C, CTRL_D, CTRL_Z, ENTER] = ["\u0003", "\u0004", "\u001a", "\r"];

Deno.test(
  "the bare command prints the help at a terminal, and serves with --bridge",
  linux,
  async () => {
    const bare = await openTerminal([]).ended();
    assert.equal(bare.status, 0);
    assert.match(bare.shown, /^patb-cli-bridge brings .*First steps:/s);
    const serving = openTerminal(["--bridge", "--demo", "--no-history"]);
    await serving.until(/waiting for an editor on stdin/);
    await serving.type(`{"id":1,"method":"agents/list"}${ENTER}`);
    await serving.until(/"result":\{"agents"/);
    await serving.type(CTRL_D);
    assert.equal((await serving.ended()).status, 0);
  },
);

Deno.test("chat holds a conversation at a terminal", linux, async () => {
  const chat = openTerminal(["chat", "--demo", "--no-history"]);
  await chat.until(/exit, quit or Ctrl-D leave.*> /s);
  await chat.type(`helo\u007flo${ENTER}`); // a typing error, mended
  await chat.until(/\d\.\d s {2}.*Greetings\. .*> /s);
  await chat.type(CTRL_Z);
  await chat.type(`my first line${ENTER}my second`); // as it is pasted
  await chat.until(/my second/);
  await chat.type(` line${ENTER}`);
  const reply = await chat.until(/You said: .*Which one\?.*> /s);
  assert.match(reply, /You said: my first line/);
  await chat.type(`hello again${ENTER}`);
  await chat.until(/\d\.\d s/);
  await chat.type(`typed ahead${ENTER}`); // while the agent is at work
  await chat.until(/You said: hello again.*You said: typed ahead.*> /s);
  await chat.type(`quit${ENTER}`);
  const { status, shown } = await chat.ended();
  assert.equal(status, 0);
  assert.match(shown, /at work/);
});

Deno.test("chat says in what words to go on, with the same settings", linux, async () => {
  const folder = await Deno.makeTempDir();
  const env = { HOME: folder };
  const chat = openTerminal(["chat", "--demo", "--out-dir", "my files"], { env });
  await chat.until(/> /);
  await chat.type(`quit${ENTER}`);
  const { status, shown } = await chat.ended();
  assert.equal(status, 0);
  assert.match(shown, /To go on: .* chat --demo --out-dir "my files" --resume session_\w+/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("chat cancels on Ctrl-C, and leaves on the second one or at the end", linux, async () => {
  const chat = openTerminal(["chat", "--demo", "--no-history"]);
  await chat.until(/> /);
  await chat.type(`hello${ENTER}`);
  await chat.until(/\d\.\d s/);
  await chat.type(CTRL_C);
  await chat.until(/Cancelled; Ctrl-C again leaves\..*> /s);
  await chat.type(CTRL_C);
  assert.equal((await chat.ended()).status, 130);
  const other = openTerminal(["chat", "--demo", "--no-history"]);
  await other.until(/> /);
  await other.type(CTRL_D);
  assert.equal((await other.ended()).status, 0);
});

Deno.test(
  "chat prints only the reply where it is piped, whatever the terminal shows",
  linux,
  async () => {
    const file = await Deno.makeTempFile();
    const chat = openTerminal(["chat", "--demo", "--no-history"], {
      redirection: `>'${file}' <<'END'\nhello\nEND`,
    });
    const { status, shown } = await chat.ended();
    assert.equal(status, 0);
    assert.match(shown, /at work/);
    assert.doesNotMatch(shown, /Greetings/);
    assert.match(await Deno.readTextFile(file), /^Greetings\. .*\n- domination\n$/s);
    await Deno.remove(file);
  },
);

Deno.test("doctor is in colours at a terminal, unless NO_COLOR is set", linux, async () => {
  const colored = await openTerminal(["doctor", "--demo", "--turn"]).ended();
  assert.ok(colored.shown.includes(`${ESCAPE}[32m✓${ESCAPE}[39m program`));
  assert.ok(colored.shown.includes(`patb-cli-bridge ${manifest.version} on linux`));
  const plain = await openTerminal(["doctor", "--demo"], { env: { NO_COLOR: "1" } }).ended();
  assert.ok(!plain.shown.includes(ESCAPE));
});

Deno.test("chat takes a long line that is pasted, in linear time", linux, async () => {
  const chat = openTerminal(["chat", "--demo", "--no-history"]);
  await chat.until(/> /);
  await chat.type("x".repeat(3000));
  for (let i = 0; i < 30; i++) await chat.type("x".repeat(2000));
  await chat.type(ENTER);
  await chat.until(/Greetings\./);
  await chat.type(CTRL_D);
  assert.equal((await chat.ended()).status, 0);
});

Deno.test("chat and login give the terminal back, however they end", linux, async () => {
  const login = ["login", "--host", "http://127.0.0.1:9"];
  const table: [string[], RegExp, string, number][] = [
    [["chat", "--demo", "--no-history"], /> /, "kill -TERM $!", 143],
    [["chat", "--demo", "--no-history"], /> /, "kill -HUP $!", 129],
    [login, /API key: /, "kill -TERM $!", 143],
  ];
  for (const [args, ready, kill, status] of table) {
    const session = openTerminal(args, {
      redirection: `<&3 & sleep 2; ${kill}; wait $!; echo "status $?"; stty -a`,
      before: "exec 3<&0; ",
    });
    await session.until(ready);
    const { shown } = await session.ended();
    assert.match(shown, new RegExp(`status ${status}\\b`));
    assert.match(shown, / icanon .* echo /s);
  }
});

Deno.test("login ends on Ctrl-C and Ctrl-D, and mends what is typed", linux, async () => {
  const args = ["login", "--host", `http://127.0.0.1:${closedPort()}`];
  for (const [key, status] of [[CTRL_C, 130], [CTRL_D, 1]] as const) {
    const login = openTerminal(args);
    await login.until(/API key: /);
    await login.type(key);
    assert.equal((await login.ended()).status, status);
  }
});

Deno.test("login does not show the key that is typed", linux, async () => {
  const login = openTerminal(["login", "--host", `http://127.0.0.1:${closedPort()}`]);
  await login.until(/API key:/);
  await login.type(`test-key-0123456789${ENTER}`);
  const { status, shown } = await login.ended();
  assert.equal(status, 1);
  assert.match(shown, /The key was not kept\. .*refused the connection/);
  assert.doesNotMatch(shown, /0123456789/);
});
