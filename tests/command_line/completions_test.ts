import assert from "node:assert/strict";
import { completions } from "../../lib/command_line/completions.ts";

/** Runs a shell; what it printed, in words. */
async function words(shell: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command(shell, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout).split(/\s+/).filter(Boolean);
}

/** Whether the shell is on this machine. */
function has(shell: string): boolean {
  try {
    return new Deno.Command(shell, { args: ["-c", "exit 0"] }).outputSync().success;
  } catch {
    return false; // it is not, and the tests of the others say enough
  }
}

/** What is typed, the last word being completed, and what must be offered, and what not. */
const TABLE: [string[], string[], string[]][] = [
  [["do"], ["doctor"], ["chat"]],
  [[""], ["zed", "chat"], ["--turn"]],
  [["--de"], ["--demo"], []],
  [["doctor", "--t"], ["--turn", "--turn-timeout"], ["--json"]],
  [["--demo", "chat", "--"], ["--resume", "--host"], ["--write", "chat"]],
  [["completions", ""], ["bash", "zsh", "fish", "powershell"], ["--demo"]],
  [["help", "z"], ["zed"], []],
  [["chat", "--progress", ""], ["message", "thought", "off"], ["--demo"]],
  [["logout", "--"], ["--help"], ["--demo"]],
];

Deno.test("completions work in bash", { ignore: !has("bash") }, async () => {
  for (const [typed, offered, others] of TABLE) {
    const line = ["patb-cli-bridge", ...typed].map((word) => `'${word}'`).join(" ");
    const script = `${completions("bash")}
      COMP_WORDS=(${line}); COMP_CWORD=${typed.length}; _patb_cli_bridge; echo "\${COMPREPLY[@]}"`;
    const found = await words("bash", "-c", script);
    for (const word of offered) assert.ok(found.includes(word), `${typed}: ${found}`);
    for (const word of others) assert.ok(!found.includes(word), `${typed}: ${found}`);
  }
});

Deno.test("completions work in fish", { ignore: !has("fish") }, async () => {
  for (const [typed, offered, others] of TABLE) {
    const line = ["patb-cli-bridge", ...typed].join(" ");
    const found = await words("fish", "-N", "-c", `${completions("fish")}\ncomplete -C '${line}'`);
    for (const word of offered) assert.ok(found.includes(word), `${typed}: ${found}`);
    for (const word of others) assert.ok(!found.includes(word), `${typed}: ${found}`);
  }
});

Deno.test("completions work in zsh", { ignore: !has("zsh") }, async () => {
  for (const [typed, offered, others] of TABLE) {
    const line = ["patb-cli-bridge", ...typed].map((word) => `'${word}'`).join(" ");
    // The two functions of the completion system that it calls only print here.
    const script = `compdef() {}; compadd() { print -l -- $@ }; _files() {}
      _describe() { print -l -- \${\${(P)2}%%:*} }
      ${completions("zsh")}
      words=(${line}); CURRENT=${typed.length + 1}; _patb-cli-bridge`;
    const prefix = typed.at(-1) ?? "";
    const found = (await words("zsh", "-f", "-c", script)).filter((each) =>
      each.startsWith(prefix)
    );
    for (const word of offered) assert.ok(found.includes(word), `${typed}: ${found}`);
    for (const word of others) assert.ok(!found.includes(word), `${typed}: ${found}`);
  }
});

Deno.test("completions for PowerShell name every command and option", () => {
  const script = completions("powershell");
  assert.match(script, /^ {4}'doctor' = @\('--turn', '--json', .*'--help'\)$/m);
  assert.match(script, /^ {4}'--progress' = @\('message', 'thought', 'off'\)$/m);
  assert.match(script, /\$choices = @\('serve', 'chat'/);
});
