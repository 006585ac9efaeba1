import assert from "node:assert/strict";
import manifest from "../deno.json" with { type: "json" };
import { OPTION_NAMES, VARIABLES } from "../lib/command_line/options.ts";
import { NETWORK_VARIABLES } from "../lib/network_variables.ts";
import { USER_VARIABLES } from "../lib/user_folders.ts";

const README = await Deno.readTextFile(new URL("../README.md", import.meta.url));

Deno.test("the README has the command of the start task", () => {
  assert.ok(README.includes(`\n${manifest.tasks.start.command}\n`));
});

Deno.test("the README names every flag, variable and task that there is, and no other", async () => {
  for (const name of OPTION_NAMES) assert.match(README, new RegExp(`\\B--${name}\\b`));
  for (const variable of VARIABLES) assert.ok(README.includes(`\`${variable}\``), variable);
  for (const [, task = ""] of README.matchAll(/(?:deno|deno@2\.8\.3) task ([a-z]+)/g)) {
    assert.ok(task in manifest.tasks, task);
  }
  const installer = await Deno.readTextFile(new URL("../lib/release/install.sh", import.meta.url));
  for (const [variable] of README.matchAll(/PATBA_[A-Z_]+/g)) {
    const isRead = VARIABLES.some((name) => name === variable) || installer.includes(variable);
    assert.ok(isRead, variable);
  }
});

Deno.test("the flags of the start task name every variable that is read", () => {
  for (const task of [manifest.tasks.start, manifest.tasks.compile]) {
    const allowed = task.command.match(/--allow-env=(\S+)/)?.[1]?.split(",");
    assert.deepEqual(allowed, [...VARIABLES, ...USER_VARIABLES, ...NETWORK_VARIABLES, "TERM"]);
  }
});
