import { keyStore } from "./lib/api_key.ts";
import type { Prompts } from "./lib/chat/prompts.ts";
import { systemClock } from "./lib/clock.ts";
import {
  type CommandLine,
  readCommandLine,
  settingsArguments,
} from "./lib/command_line/command_line.ts";
import { VARIABLES } from "./lib/command_line/options.ts";
import { UsageError } from "./lib/command_line/usage_error.ts";
import { type Config, readConfig, type Sources } from "./lib/config.ts";
import { readDotenv } from "./lib/dotenv.ts";
import type { EditorName } from "./lib/editors/names.ts";
import { BridgeError } from "./lib/errors.ts";
import { streamTo } from "./lib/file_stream.ts";
import { lastMoment, untilOrphaned, untilSignalled } from "./lib/lifetime.ts";
import { createLog } from "./lib/log.ts";
import { oneLine } from "./lib/one_line.ts";
import { createParts, serviceOptions } from "./lib/parts.ts";
import { serve } from "./lib/serve.ts";
import { createThreads } from "./lib/service/threads.ts";
import type { Surroundings } from "./lib/surroundings.ts";
import type { Terminal } from "./lib/terminal.ts";
import { USER_VARIABLES } from "./lib/user_folders.ts";
import manifest from "./deno.json" with { type: "json" };

/** The longest line on stderr, in characters. */
const MAX_COMPLAINT = 300;
/** The longest line of a command that may name paths, in characters. */
const MAX_SAID = 2000;
/** The exit status of a command line that cannot be understood. */
const USAGE_STATUS = 2;

/** The process that started the bridge; asked at once, for it may not live long. */
const parent = Deno.ppid;

const surroundings: Surroundings = {
  version: manifest.version,
  environment: readVariables(VARIABLES),
  dotenv: () => readDotenv(complain),
  user: { ...readVariables(USER_VARIABLES), os: Deno.build.os },
  cwd: Deno.cwd,
  clock: systemClock,
  stderr: Deno.stderr,
  complain,
  bypassProxy(hostname) {
    const excepted = Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy");
    Deno.env.set("NO_PROXY", excepted === undefined ? hostname : `${excepted},${hostname}`);
  },
};

const terminal: Terminal = {
  print: (text) => write(Deno.stdout, text),
  note: (text) => write(Deno.stderr, text),
  isInput: Deno.stdin.isTerminal(),
  isOutput: Deno.stdout.isTerminal(),
  isNotes: Deno.stderr.isTerminal() && readVariable("TERM") !== "dumb",
};

async function main(): Promise<number> {
  try {
    return await run(readCommandLine(Deno.args));
  } catch (thrown) {
    if (!(thrown instanceof UsageError) && !(thrown instanceof BridgeError)) throw thrown;
    complain(thrown.message);
    return thrown instanceof UsageError ? USAGE_STATUS : 1;
  }
}

/** Runs a command, whose code is loaded only now; returns the exit status. */
async function run({ command, named, argument, options }: CommandLine): Promise<number> {
  if (options.version) return print(`${manifest.version}\n`);
  const isBare = !named && !options.bridge && terminal.isInput;
  if (options.help || command === "help" || isBare) {
    const { helpText } = await import("./lib/command_line/help.ts");
    return print(helpText(command === "help" ? argument : named ? command : undefined));
  }
  const sources = {
    options,
    environment: surroundings.environment,
    dotenv: await surroundings.dotenv(),
  };
  switch (command) {
    case "completions": {
      const { completions } = await import("./lib/command_line/completions.ts");
      return print(completions(argument));
    }
    case "logout":
      keyStore(surroundings).remove();
      return print("Logged out: no key is kept any more.\n");
    case "serve":
      return await serveEditor(readConfig(sources));
    case "login":
      return await logIn(readConfig(sources));
    case "chat": {
      const { chat } = await import("./lib/chat/chat.ts");
      if (argument !== undefined && !options.resume) {
        throw new UsageError(
          `chat --resume ${argument} goes on with that session; chat alone begins one`,
        );
      }
      const session = argument === undefined ? "last" : { sessionId: argument };
      const resume = options.resume ? session : undefined;
      return await chat(readConfig(sources), { surroundings, terminal, resume, prompts });
    }
    case "doctor": {
      const { doctor } = await import("./lib/doctor/doctor.ts");
      const { NETWORK_VARIABLES } = await import("./lib/doctor/network.ts");
      const { os, arch } = Deno.build;
      return await doctor(sources, {
        surroundings,
        terminal,
        platform: `${os} ${arch}, Deno ${Deno.version.deno}`,
        network: readVariables(NETWORK_VARIABLES),
      });
    }
    default:
      return await wireEditor(command, sources);
  }
}

/** Serves the editor until it is done or gone; returns the exit status. */
async function serveEditor(config: Config): Promise<number> {
  if (terminal.isInput) complain("waiting for an editor on stdin; Ctrl-C ends");
  const parts = await createParts(config, surroundings);
  const bridge = serve({
    ...parts,
    input: Deno.stdin.readable,
    output: streamTo(() => Deno.stdout),
  });
  const status = await Promise.race([
    bridge.finished.then(() => 0),
    untilSignalled(bridge, Deno.build.os),
    untilOrphaned(parent, Deno.build.os),
  ]);
  await Promise.race([parts.flushLog(), lastMoment()]);
  return status;
}

/** Asks for the key, checks it with the service, and keeps it; returns the exit status. */
async function logIn(config: Config): Promise<number> {
  if (config.demo) throw new UsageError("login --demo: the practice service takes any key");
  const { login } = await import("./lib/login.ts");
  const log = createLog({ level: "error", write: complain, secrets: [], now: Date.now });
  const threads = (key: string) =>
    createThreads(serviceOptions(config, () => key, log, surroundings));
  return await login({
    ask: askForKey,
    check: (key) => threads(key).checkKey(new AbortController().signal),
    keep: keyStore(surroundings).write,
    say: (message) => print(`${message}\n`),
  });
}

/** Prints what an editor must know of this program, or changes the editor's settings. */
async function wireEditor(editor: EditorName, sources: Sources): Promise<number> {
  const { options } = sources;
  const { demo } = readConfig(sources); // whatever is passed on is checked first
  if (options.write && options.remove) {
    throw new UsageError("--write and --remove are opposites: give one of them");
  }
  const { runEditorCommand } = await import("./lib/editors/command.ts");
  const [program = "", ...args] = ownCommand();
  const loggedIn = demo || keyStore(surroundings).read() !== undefined;
  return runEditorCommand({
    editor,
    action: options.write ? "write" : options.remove ? "remove" : "print",
    agent: {
      command: program,
      args: [...args, ...settingsArguments(options)],
      env: loggedIn ? {} : { PATBA_API_KEY: "your key" },
    },
    user: surroundings.user,
    loggedIn,
    colors: terminal.isOutput,
    now: systemClock.now,
    print,
    say: (message) => terminal.note(`${oneLine(message, MAX_SAID)}\n`),
  });
}

/** What starts this program: the executable, or, from source, the runtime with its flags. */
function ownCommand(): string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const [, ...flags] = manifest.tasks.start.command.split(" ");
  return [Deno.execPath(), ...flags.slice(0, -1), import.meta.filename ?? ""];
}

async function askForKey(): Promise<string | undefined> {
  if (!terminal.isInput) return await new Response(Deno.stdin.readable).text();
  const { promptSecret } = await import("./lib/prompt_secret.ts");
  // Before it asks, which it itself does after: what is pasted at once would be shown.
  Deno.stdin.setRaw(true, Deno.build.os === "windows" ? undefined : { cbreak: true });
  return promptSecret("API key:") ?? undefined;
}

/** What the user types into a chat, or all of stdin where it is no terminal. */
async function prompts(interrupted: () => void): Promise<Prompts> {
  Deno.addSignalListener("SIGINT", interrupted);
  const { onePrompt, readPrompts } = await import("./lib/chat/prompts.ts");
  if (!terminal.isInput) return onePrompt(Deno.stdin.readable);
  const { stdin, stderr } = (await import("node:process")).default;
  return readPrompts(stdin, stderr, systemClock, interrupted);
}

function readVariables<Name extends string>(names: readonly Name[]) {
  const values: Partial<Record<Name, string | undefined>> = {};
  for (const name of names) values[name] = readVariable(name);
  return values;
}

/** A variable; one that is not Unicode, which the runtime does not give, is unusable text. */
function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return "\ufffd"; // the error has the value, which may be the key: it goes nowhere
  }
}

function print(text: string): number {
  write(Deno.stdout, text);
  return 0;
}

function complain(message: string): void {
  write(Deno.stderr, `patb-cli-bridge: ${oneLine(message, MAX_COMPLAINT)}\n`);
}

function write(file: Pick<Deno.FsFile, "writeSync">, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) {
      written += file.writeSync(bytes.subarray(written));
    }
  } catch {
    // Whoever closed the other end does not want to know, and the bridge goes on.
  }
}

if (import.meta.main) Deno.exit(await main());
