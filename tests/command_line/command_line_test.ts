import assert from "node:assert/strict";
import { readCommandLine } from "../../lib/command_line/command_line.ts";

Deno.test("readCommandLine takes commands, options and arguments in any order", () => {
  const table: [string, ReturnType<typeof readCommandLine>][] = [
    ["", { command: "serve", named: false, argument: undefined, options: {} }],
    ["--demo -b", {
      command: "serve",
      named: false,
      argument: undefined,
      options: { demo: true, bridge: true },
    }],
    ["serve --host=x", {
      command: "serve",
      named: true,
      argument: undefined,
      options: { host: "x" },
    }],
    ["chat --resume session_1 --demo", {
      command: "chat",
      named: true,
      argument: "session_1",
      options: { demo: true, resume: true },
    }],
    ["chat --resume 0012", {
      command: "chat",
      named: true,
      argument: "0012",
      options: { resume: true },
    }],
    ["--out-dir a zed --write", {
      command: "zed",
      named: true,
      argument: undefined,
      options: { "out-dir": "a", write: true },
    }],
    ["completions -h", {
      command: "completions",
      named: true,
      argument: undefined,
      options: { help: true },
    }],
  ];
  for (const [line, read] of table) {
    assert.deepEqual(readCommandLine(line.split(" ").filter(Boolean)), read, line);
  }
});

Deno.test("readCommandLine says what is wrong, and what was probably meant", () => {
  const table: [string[], RegExp][] = [
    [["--nope"], /^Unknown argument "--nope": "patb-cli-bridge help serve" says what there is$/],
    [["--hots", "x"], /^Unknown argument "--hots": did you mean --host\?$/],
    [["docter"], /^Unknown argument "docter": did you mean doctor\?$/],
    [["--no-demo"], /^Unknown argument "--no-demo"/],
    [["--no-histroy"], /did you mean --no-history\?$/],
    [["-x"], /^Unknown argument "-x"/],
    [["-bx"], /^Unknown argument "-bx"/],
    [["--__proto__=1"], /^Unknown argument "--__proto__"/],
    [["--api-key=secret"], /^Unknown argument "--api-key": /],
    [["-"], /^Unknown argument "-"/],
    [[""], /^Unknown argument ""/],
    [["toString"], /^Unknown argument "toString"/],
    [["--", "x"], /^Unknown argument "x"/],
    [["logout", "x"], /^Unknown argument "x"/],
    [["chat", "a", "b"], /^Unknown argument "b"/],
    [["help", "docter"], /did you mean doctor\?$/],
    [["completions"], /^completions needs a SHELL: bash, zsh, fish, powershell$/],
    [["completions", "bahs"], /did you mean bash\?$/],
    [["login", "--turn"], /^--turn is an option of doctor, not of login$/],
    [["logout", "--demo"], /^--demo is an option of serve, chat, .*, not of logout$/],
    [["--host"], /^--host needs a value/],
    [["--host="], /^--host needs a value/],
    [["--host", "--demo"], /^--host needs a value/],
    [["--log-file"], /^--log-file needs a value: "patb-cli-bridge help serve" says which$/],
    [["--demo=no"], /^--demo takes no value$/],
    [["zed", "--write", "--remove"], /^--write and --remove are opposites/],
    [["chat", "session_1"], /^chat takes "session_1" only with --resume$/],
  ];
  for (const [args, message] of table) {
    assert.throws(() => readCommandLine(args), { name: "UsageError", message }, args.join(" "));
  }
});
