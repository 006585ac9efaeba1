import { keyStore } from "./api_key.ts";
import type { Prompts } from "./chat/prompts.ts";
import { type CommandLine, settingsArguments } from "./command_line/command_line.ts";
import { UsageError } from "./command_line/usage_error.ts";
import { type Config, readConfig, type Sources } from "./config.ts";
import type { Lookup } from "./doctor/network.ts";
import type { EditorName } from "./editors/names.ts";
import { createLog } from "./log.ts";
import type { NetworkVariables } from "./network_variables.ts";
import { oneLine } from "./one_line.ts";
import { serviceOptions } from "./remote_service.ts";
import { createServiceClient } from "./service/client.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Terminal } from "./terminal.ts";

/** What the commands beside `serve` need. */
export interface CommandParts {
  surroundings: Surroundings;
  terminal: Terminal;
  /** The words that start this program, and what its user calls it. */
  self: { command: string[]; name: string };
  /** The machine and the runtime, in words. */
  platform: string;
  network: () => NetworkVariables;
  lookup: Lookup;
  askForKey: () => Promise<string | undefined>;
  prompts: (interrupted: () => void, leave: (status: number) => void) => Promise<Prompts>;
}

/** The longest line that may name paths, in characters. */
const MAX_SAID = 2000;

/** Runs a command, whose own code is loaded only now; returns the exit status. */
export async function runCommand(line: CommandLine, parts: CommandParts): Promise<number> {
  const { command, named, argument, options } = line;
  const { surroundings, terminal } = parts;
  const print = (text: string) => (terminal.print(text), 0);
  if (options.version) return print(`${surroundings.version}\n`);
  // The bare command comes here at a terminal.
  if (options.help || command === "help" || command === "serve") {
    const { helpText } = await import("./command_line/help.ts");
    return print(helpText(command === "help" ? argument : named ? command : undefined));
  }
  if (command === "completions") {
    const { completions } = await import("./command_line/completions.ts");
    return print(completions(argument));
  }
  if (command === "logout") {
    keyStore(surroundings).remove();
    return print(`Logged out: no key is kept any more.${stillSet(surroundings)}\n`);
  }
  const { environment, dotenv } = surroundings;
  const sources = { options, environment, dotenv: await dotenv() };
  switch (command) {
    case "login":
      return await logIn(readConfig(sources), parts);
    case "chat": {
      const { chat } = await import("./chat/chat.ts");
      const session = argument === undefined ? "last" : { sessionId: argument };
      const resume = options.resume ? session : undefined;
      const settings = settingsArguments(options).map((word) =>
        /\s/.test(word) ? `"${word}"` : word
      );
      const again = [parts.self.name, "chat", ...settings].join(" ");
      return await chat(readConfig(sources), { ...parts, again, resume });
    }
    case "doctor": {
      const { doctor } = await import("./doctor/doctor.ts");
      return await doctor(sources, { ...parts, network: parts.network() });
    }
    default:
      return await wireEditor(command, sources, parts);
  }
}

/** Asks for the key, checks it with the service, and keeps it; returns the exit status. */
async function logIn(config: Config, parts: CommandParts): Promise<number> {
  if (config.demo) throw new UsageError("login --demo: the practice service takes any key");
  const { surroundings, terminal, askForKey } = parts;
  const { login } = await import("./login.ts");
  const { clock, complain } = surroundings;
  const log = createLog({ level: "error", write: complain, secrets: [], now: clock.now });
  const client = (key: string) =>
    createServiceClient(serviceOptions(config, () => key, log, surroundings));
  return await login({
    host: config.host.host,
    ask: askForKey,
    check: (key) => client(key).checkKey(new AbortController().signal),
    keep: keyStore(surroundings).write,
    say: (message) => terminal.print(`${message}${stillSet(surroundings)}\n`),
  });
}

/** What whoever logs in or out should know: which key is in force all the same. */
function stillSet({ environment }: Surroundings): string {
  return environment.PATBA_API_KEY?.trim()
    ? " PATBA_API_KEY is set here, and that key is taken first."
    : "";
}

/** Prints what an editor must know of this program, or changes the editor's settings. */
async function wireEditor(
  editor: EditorName,
  sources: Sources,
  { surroundings, terminal, self }: CommandParts,
): Promise<number> {
  const { options } = sources;
  const { demo } = readConfig(sources); // whatever is passed on is checked first
  const { runEditorCommand } = await import("./editors/command.ts");
  const [command = "", ...args] = self.command;
  const loggedIn = demo || keyStore(surroundings).read() !== undefined;
  return runEditorCommand({
    editor,
    action: options.write ? "write" : options.remove ? "remove" : "print",
    agent: {
      command,
      args: [...args, ...settingsArguments(options)],
      env: loggedIn ? {} : { PATBA_API_KEY: "your key" },
    },
    self: self.name,
    user: surroundings.user,
    loggedIn,
    colors: terminal.colors,
    now: surroundings.clock.now,
    print: terminal.print,
    say: (message) => terminal.note(`${oneLine(message, MAX_SAID)}\n`),
  });
}
