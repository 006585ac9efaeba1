import { USER_VARIABLES } from "../user_folders.ts";
import { AGENT_NAME, type AgentCommand } from "./names.ts";
import { lispString, luaString } from "./quote.ts";

/** Zed's settings (https://zed.dev/docs/ai/external-agents). */
export function zedSnippet({ command, args, env }: AgentCommand): string {
  return servers({ type: "custom", command, args, ...withEnv(env) });
}

/** JetBrains' settings (https://www.jetbrains.com/help/ai-assistant/acp.html). */
export function jetbrainsSnippet({ command, args, env }: AgentCommand): string {
  return servers({ command, args, ...withEnv(env) });
}

/** A part of CodeCompanion's setup (https://codecompanion.olimorris.dev/configuration/adapters-acp). */
export function codecompanionSnippet({ command, args, env }: AgentCommand): string {
  const fields = variables(env);
  const environment = fields.length > 0 ? `\n        env = { ${fields.join(", ")} },` : "";
  return `adapters = {
  acp = {
    the_brain = function()
      return require("codecompanion.adapters").extend("goose", {
        name = "the_brain",
        formatted_name = ${luaString(AGENT_NAME)},
        commands = { default = { ${[command, ...args].map(luaString).join(", ")} } },${environment}
      })
    end,
  },
},
`;
}

/** What the way to the service may depend on, and on Windows every connection. */
const NETWORK = ["HTTPS_PROXY", "NO_PROXY", "DENO_CERT", "DENO_TLS_CA_STORE", "SystemRoot"];

/**
 * A part of avante's setup (https://github.com/avante-corp/avante.nvim). It starts an agent with
 * nothing but `PATH` and the variables named here, so those that the bridge finds its own folders
 * and the service by are handed on.
 */
export function avanteSnippet({ command, args, env }: AgentCommand): string {
  const handedOn = [...USER_VARIABLES, ...NETWORK].map((name) =>
    `${name} = os.getenv(${luaString(name)})`
  );
  return `provider = "the-brain",
acp_providers = {
  ["the-brain"] = {
    command = ${luaString(command)},
    args = {${args.map((arg) => ` ${luaString(arg)},`).join("")}${args.length > 0 ? " " : ""}},
    env = {
      ${[...variables(env), ...handedOn].join(",\n      ")},
    },
  },
},
`;
}

/** A form for the init file of agent-shell's user (https://github.com/xenodium/agent-shell). */
export function agentShellSnippet({ command, args, env }: AgentCommand): string {
  const name = lispString(AGENT_NAME);
  const prompt = lispString(`${AGENT_NAME}> `);
  const list = (strings: string[]) => `'(${strings.map(lispString).join(" ")})`;
  const assignments = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  const client = [
    ":context-buffer buffer",
    `:command ${lispString(command)}`,
    ...(args.length > 0 ? [`:command-params ${list(args)}`] : []),
    ...(assignments.length > 0 ? [`:environment-variables ${list(assignments)}`] : []),
  ];
  return `(with-eval-after-load 'agent-shell
  (add-to-list 'agent-shell-agent-configs
               (agent-shell-make-agent-config
                :identifier 'the-brain
                :mode-line-name ${name}
                :buffer-name ${name}
                :shell-prompt ${prompt}
                :shell-prompt-regexp ${prompt}
                :client-maker (lambda (buffer)
                                (acp-make-client ${client.join(`\n${" ".repeat(49)}`)})))))
`;
}

function servers(server: Record<string, unknown>): string {
  return `${JSON.stringify({ agent_servers: { [AGENT_NAME]: server } }, null, 2)}\n`;
}

function withEnv(env: Record<string, string>): { env?: Record<string, string> } {
  return Object.keys(env).length > 0 ? { env } : {};
}

/** The fields of a Lua table that has those variables. */
function variables(env: Record<string, string>): string[] {
  return Object.entries(env).map(([name, value]) => {
    const field = /^[A-Z_][A-Z\d_]*$/.test(name) ? name : `[${luaString(name)}]`;
    return `${field} = ${luaString(value)}`;
  });
}
