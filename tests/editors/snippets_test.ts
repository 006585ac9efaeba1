import assert from "node:assert/strict";
import {
  agentShellSnippet,
  avanteSnippet,
  codecompanionSnippet,
  jetbrainsSnippet,
  zedSnippet,
} from "../../lib/editors/snippets.ts";
import { evaluateLisp, evaluateLua } from "./evaluate.ts";

const AGENT = {
  command: 'C:\\Program Files\\"brücke" 🧠\\deno.exe',
  args: ["run", "--allow-env=A,B", "C:\\it's\\main.ts"],
  env: { PATBA_API_KEY: "your key" },
};
const PLAIN = { command: "/opt/patb-cli-bridge", args: [], env: {} };

Deno.test("zedSnippet and jetbrainsSnippet are whole settings", () => {
  for (const agent of [AGENT, PLAIN]) {
    const { env, ...rest } = agent;
    const server = Object.keys(env).length > 0 ? agent : rest;
    assert.deepEqual(JSON.parse(zedSnippet(agent)), {
      agent_servers: { "The Brain": { type: "custom", ...server } },
    });
    assert.deepEqual(JSON.parse(jetbrainsSnippet(agent)), {
      agent_servers: { "The Brain": server },
    });
  }
});

Deno.test("codecompanionSnippet is a part of its setup", async () => {
  const prologue = (snippet: string) => `
function require() return { extend = function(base, with) with.base = base; return with end } end
local setup = {
${snippet}}
local brain = setup.adapters.acp.the_brain()
local all = { brain.base, brain.name, brain.formatted_name, (brain.env or {}).PATBA_API_KEY or "" }
for _, part in ipairs(brain.commands.default) do all[#all + 1] = part end`;
  for (const agent of [AGENT, PLAIN]) {
    const snippet = codecompanionSnippet(agent);
    assert.equal(snippet.includes("env = "), agent === AGENT);
    const read = await evaluateLua("all", prologue(snippet));
    if (read === undefined) continue;
    const key = agent === AGENT ? "your key" : "";
    assert.deepEqual(read, ["goose", "the_brain", "The Brain", key, agent.command, ...agent.args]);
  }
});

Deno.test("avanteSnippet is a part of its setup, and hands on where the user's folders are", async () => {
  const prologue = (snippet: string) => `
os.getenv = function(name) if name ~= "APPDATA" then return "its " .. name end end
local setup = {
${snippet}}
local brain = setup.acp_providers[setup.provider]
local all = { brain.command, brain.env.PATBA_API_KEY or "", brain.env.HOME, brain.env.XDG_STATE_HOME }
all[#all + 1] = tostring(brain.env.APPDATA)
for _, part in ipairs(brain.args) do all[#all + 1] = part end`;
  for (const agent of [AGENT, PLAIN]) {
    const snippet = avanteSnippet(agent);
    assert.match(snippet, /HOME = os\.getenv\("HOME"\)/);
    const read = await evaluateLua("all", prologue(snippet));
    if (read === undefined) continue;
    assert.deepEqual(read, [
      agent.command,
      agent === AGENT ? "your key" : "",
      "its HOME",
      "its XDG_STATE_HOME",
      "nil",
      ...agent.args,
    ]);
  }
});

Deno.test("agentShellSnippet adds a configuration whose client is the bridge", async () => {
  const prologue = (snippet: string) => `
(defvar agent-shell-agent-configs nil)
(defun agent-shell-make-agent-config (&rest given) given)
(defun acp-make-client (&rest given) given)
(provide 'agent-shell)
${snippet}
(defvar config (car agent-shell-agent-configs))
(defvar client (funcall (plist-get config :client-maker) "its buffer"))`;
  const all = `(append (list (symbol-name (plist-get config :identifier))
                             (plist-get config :shell-prompt)
                             (plist-get client :context-buffer)
                             (plist-get client :command))
                       (plist-get client :environment-variables)
                       (plist-get client :command-params))`;
  for (const agent of [AGENT, PLAIN]) {
    const snippet = agentShellSnippet(agent);
    assert.equal(snippet.includes(":environment-variables"), agent === AGENT);
    const read = await evaluateLisp(all, prologue(snippet));
    if (read === undefined) continue;
    assert.deepEqual(read, [
      "the-brain",
      "The Brain> ",
      "its buffer",
      agent.command,
      ...agent === AGENT ? ["PATBA_API_KEY=your key"] : [],
      ...agent.args,
    ]);
  }
});
