import assert from "node:assert/strict";
import { command, COMMAND_NAMES, optionsOf, SETTINGS } from "../../lib/command_line/commands.ts";
import { readCommandLine } from "../../lib/command_line/command_line.ts";
import { helpText } from "../../lib/command_line/help.ts";
import { OPTION_NAMES } from "../../lib/command_line/options.ts";

const TEXTS = [undefined, ...COMMAND_NAMES].map((name) => [name, helpText(name)] as const);

Deno.test("helpText fits a screen of 80 by 24 characters", () => {
  for (const [name, text] of TEXTS) {
    const lines = text.trimEnd().split("\n");
    assert.ok(lines.length <= 24, `${name} has ${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 80, line);
  }
});

Deno.test("helpText tells of every command and every option, and of no other", () => {
  const all = TEXTS.map(([, text]) => text).join("\n");
  for (const name of COMMAND_NAMES) {
    assert.match(helpText(undefined), new RegExp(`^  ${name} `, "m"));
  }
  for (const name of OPTION_NAMES.filter((each) => each !== "help" && each !== "version")) {
    assert.match(all, new RegExp(`^  (-., )?--${name}\\b`, "m"));
  }
  for (const name of SETTINGS) assert.ok(helpText("serve").includes(`--${name}`), name);
  for (const [name, text] of TEXTS) {
    for (const [, option = ""] of text.matchAll(/ --([a-z-]+)/g)) {
      const known: readonly string[] = name === undefined
        ? OPTION_NAMES
        : [...optionsOf(name), ...SETTINGS];
      assert.ok(known.includes(option), `${name} --${option}`);
    }
  }
});

Deno.test("helpText has examples that can be run", () => {
  for (const name of COMMAND_NAMES) {
    for (const example of command(name).examples) {
      const [line = ""] = example.split(/ [<>]/);
      assert.equal(readCommandLine(line.split(" ")).command, name, example);
    }
  }
});
