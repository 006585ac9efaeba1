import assert from "node:assert/strict";
import { type EditorCommandOptions, runEditorCommand } from "../../lib/editors/command.ts";
import { EDITORS } from "../../lib/editors/editors.ts";

const AGENT = { command: "/opt/patb-cli-bridge", args: [], env: {} };
const KEY = { PATBA_API_KEY: "your key" };

/** Runs a command in a home folder, and returns what it printed and said. */
function run(home: string, options: Partial<EditorCommandOptions>) {
  const printed: string[] = [];
  const said: string[] = [];
  const status = runEditorCommand({
    self: "patb-cli-bridge",
    editor: "zed",
    action: "write",
    agent: AGENT,
    user: { os: "linux", HOME: home },
    loggedIn: true,
    colors: false,
    now: () => Date.UTC(2026, 0, 1),
    print: (text) => printed.push(text),
    say: (message) => said.push(message),
    ...options,
  });
  assert.equal(status, 0);
  return { printed: printed.join(""), said };
}

async function zedHome(text?: string): Promise<{ home: string; path: string }> {
  const home = await Deno.makeTempDir();
  const path = `${home}/.config/zed/settings.json`;
  if (text !== undefined) {
    Deno.mkdirSync(`${home}/.config/zed`, { recursive: true });
    Deno.writeTextFileSync(path, text);
  }
  return { home, path };
}

const UNIX_ONLY = { ignore: Deno.build.os === "windows" };

Deno.test("runEditorCommand prints the snippet alone, and says where it goes", () => {
  for (const editor of ["zed", "agent-shell"] as const) {
    const agent = { ...AGENT, env: KEY };
    const { printed, said } = run("/nonexistent", { editor, action: "print", agent });
    assert.equal(printed, EDITORS[editor].snippet(agent));
    assert.ok(said.join().includes(EDITORS[editor].where));
    assert.equal(said.join().includes("--write"), editor === "zed");
  }
});

Deno.test("runEditorCommand shows what changes, and writes it", UNIX_ONLY, async () => {
  const before = '{\n  "vim_mode": true // yes\n}\n';
  const { home, path } = await zedHome(before);
  const { printed, said } = run(home, { agent: { ...AGENT, env: KEY } });
  const after = Deno.readTextFileSync(path);
  assert.ok(after.startsWith('{\n  "vim_mode": true, // yes\n  "agent_servers": {\n'));
  assert.ok(after.includes('"command": "/opt/patb-cli-bridge"'));
  assert.doesNotMatch(after, /env|your key/);
  assert.ok(printed.includes('\n-  "vim_mode": true // …\n+  "vim_mode": true, // …\n'));
  assert.deepEqual(said, [
    `${path} was written. As it was before: ${path}.backup-20260101T000000Z`,
    'Next: in the agent panel, start a new thread with "The Brain".',
  ]);
  assert.equal(Deno.readTextFileSync(`${path}.backup-20260101T000000Z`), before);

  const again = run(home, {});
  assert.equal(again.printed, "");
  assert.equal(again.said[0], `${path} has the agent already: nothing was changed.`);
  assert.equal([...Deno.readDirSync(`${home}/.config/zed`)].length, 2);

  const removed = run(home, { action: "remove" });
  assert.ok(removed.printed.includes('\n-  "agent_servers": {\n'));
  assert.equal(Deno.readTextFileSync(path), before);
  const gone = run(home, { action: "remove" });
  assert.deepEqual(gone.said, [`${path} does not have the agent: nothing was changed.`]);
});

Deno.test(
  "runEditorCommand makes settings that are not there, and tells who has no key",
  UNIX_ONLY,
  async () => {
    const { home } = await zedHome();
    const path = `${home}/.jetbrains/acp.json`;
    const { said } = run(home, { editor: "jetbrains", loggedIn: false });
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), {
      agent_servers: { "The Brain": { command: AGENT.command, args: [] } },
    });
    assert.equal(said[0], `${path} was written.`);
    assert.match(said[1] ?? "", /^Next: run "patb-cli-bridge login", and then, in AI Chat, /);
  },
);

Deno.test("runEditorCommand shows no secret", UNIX_ONLY, async () => {
  const { home, path } = await zedHome(
    '{ "agent_servers": {\n  "The Brain": { "env": { "PATBA_API_KEY": "k-1" },\n  "command": "/old" }\n} }',
  );
  const { printed } = run(home, { colors: true });
  assert.match(printed, /"PATBA_API_KEY": "\*\*\*"/);
  assert.doesNotMatch(printed, /k-1/);
  assert.match(Deno.readTextFileSync(path), /"PATBA_API_KEY": "k-1"/);
});

Deno.test("runEditorCommand says why it changes nothing", UNIX_ONLY, async () => {
  const { home, path } = await zedHome('{\n  "a": 1,,\n}\n');
  const table: [Partial<EditorCommandOptions>, RegExp][] = [
    [{}, /^Nothing was changed in .*settings\.json: line 2, column 10: it is no valid JSON there/],
    [{ editor: "avante" }, /program.*paste what "patb-cli-bridge avante" prints/],
    [{ editor: "codecompanion", action: "remove" }, /program/],
    [{ user: { os: "windows" } }, /no home folder: paste what "patb-cli-bridge zed" prints/],
  ];
  for (const [options, message] of table) {
    assert.throws(() => run(home, options), { name: "BridgeError", message });
  }
  assert.equal(Deno.readTextFileSync(path), '{\n  "a": 1,,\n}\n');
  assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name), [".config"]);
});
