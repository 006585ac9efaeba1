import type { Prompts } from "./lib/chat/prompts.ts";
import { systemClock } from "./lib/clock.ts";
import { type CommandLine, readCommandLine } from "./lib/command_line/command_line.ts";
import { VARIABLES } from "./lib/command_line/options.ts";
import { UsageError } from "./lib/command_line/usage_error.ts";
import { type Config, readConfig } from "./lib/config.ts";
import { readDotenv } from "./lib/dotenv.ts";
import { BridgeError } from "./lib/errors.ts";
import { chunksFrom, outputTo } from "./lib/file_bytes.ts";
import { lastMoment, onTermination, untilOrphaned, untilSignalled } from "./lib/lifetime.ts";
import type { TerminalStreams } from "./lib/line_editor.ts";
import { NETWORK_VARIABLES } from "./lib/network_variables.ts";
import { oneLine } from "./lib/one_line.ts";
import { createParts } from "./lib/parts.ts";
import { serve } from "./lib/serve.ts";
import type { Surroundings } from "./lib/surroundings.ts";
import type { Terminal } from "./lib/terminal.ts";
import { USER_VARIABLES } from "./lib/user_folders.ts";
import manifest from "./deno.json" with { type: "json" };

/** The longest line on stderr, in characters. */
const MAX_COMPLAINT = 300;
/** How long a pipe that is full is left alone, in milliseconds. */
const FULL_PIPE_PAUSE = 5;
/** How wide a terminal is that does not say it. */
const STANDARD_COLUMNS = 80;
/** The exit status of a command line that cannot be understood. */
const USAGE_STATUS = 2;

/** The process that started the bridge; asked at once, for it may not live long. */
const parent = Deno.ppid;

const surroundings: Surroundings = {
  version: manifest.version,
  environment: readVariables(VARIABLES),
  dotenv: () => readDotenv(complainOnce),
  user: { ...readVariables(USER_VARIABLES), os: Deno.build.os },
  cwd: Deno.cwd,
  clock: systemClock,
  stderr: Deno.stderr,
  complain,
  bypassProxy(hostname) {
    const excepted = Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy");
    if (excepted?.split(",").includes(hostname)) return;
    Deno.env.set("NO_PROXY", excepted === undefined ? hostname : `${excepted},${hostname}`);
  },
};

const isDumb = readVariable("TERM") === "dumb";
const terminal: Terminal = {
  print: (text) => write(Deno.stdout, text),
  note: (text) => write(Deno.stderr, text),
  isInput: Deno.stdin.isTerminal(),
  isOutput: Deno.stdout.isTerminal(),
  isNotes: Deno.stderr.isTerminal() && !isDumb,
  colors: Deno.stdout.isTerminal() && !isDumb,
  columns() {
    try {
      return Deno.consoleSize().columns || STANDARD_COLUMNS;
    } catch {
      return STANDARD_COLUMNS; // it is no terminal
    }
  },
};

async function main(): Promise<number> {
  // Off the module's own stack: for the trace of an error, such as that there is no .env file, the
  // whole module would be read again, which costs 3 % of the start.
  await undefined;
  try {
    return await run(readCommandLine(Deno.args));
  } catch (thrown) {
    if (!(thrown instanceof UsageError) && !(thrown instanceof BridgeError)) throw thrown;
    complain(thrown.message);
    return thrown instanceof UsageError ? USAGE_STATUS : 1;
  }
}

/** Serves an editor, or runs another command, whose code is loaded only then. */
async function run(line: CommandLine): Promise<number> {
  const { command, options } = line;
  const isBare = Deno.args.length === 0 && terminal.isInput;
  if (command === "serve" && !options.help && !options.version && !isBare) {
    const { environment, dotenv } = surroundings;
    return await serveEditor(readConfig({ options, environment, dotenv: await dotenv() }));
  }
  const { runCommand } = await import("./lib/run_command.ts");
  const { os, arch } = Deno.build;
  return await runCommand(line, {
    surroundings,
    terminal,
    self: findSelf(),
    platform: `${os} ${arch}, Deno ${Deno.version.deno}`,
    network: () => readVariables(NETWORK_VARIABLES),
    lookup: addressesOf,
    askForKey,
    prompts,
  });
}

/** Serves the editor until it is done or gone; returns the exit status. */
async function serveEditor(config: Config): Promise<number> {
  if (terminal.isInput) complain("waiting for an editor on stdin; Ctrl-C ends");
  const parts = await createParts(config, surroundings);
  const bridge = serve({
    ...parts,
    input: chunksFrom(Deno.stdin),
    output: outputTo(() => Deno.stdout),
  });
  const status = await Promise.race([
    bridge.finished.then(() => 0),
    untilSignalled(bridge, Deno.build.os),
    untilOrphaned(parent, Deno.build.os),
  ]);
  const written = Promise.all([parts.history.flush(), parts.flushLog()]);
  await Promise.race([written, lastMoment(systemClock)]);
  return status;
}

/** What starts this program: the executable, or, from source, the runtime with its flags. */
function findSelf() {
  if (Deno.build.standalone) return { command: [Deno.execPath()], name: manifest.name };
  const [, ...flags] = manifest.tasks.start.command.split(" ");
  const command = [Deno.execPath(), ...flags.slice(0, -1), import.meta.filename ?? ""];
  return { command, name: "deno task start" };
}

async function askForKey(): Promise<string | undefined> {
  if (!terminal.isInput) return await new Response(Deno.stdin.readable).text();
  const { promptSecret } = await import("./lib/prompt_secret.ts");
  const secret = promptSecret(await terminalStreams(), "API key: ", () => Deno.exit(130));
  onTermination(Deno.build.os, (status) => {
    secret.close();
    Deno.exit(status);
  });
  return await secret.answer;
}

/** What the user types into a chat, or all of stdin where it is no terminal. */
async function prompts(interrupted: () => void, leave: (status: number) => void): Promise<Prompts> {
  Deno.addSignalListener("SIGINT", interrupted);
  onTermination(Deno.build.os, leave);
  const { onePrompt, readPrompts } = await import("./lib/chat/prompts.ts");
  if (!terminal.isInput) return onePrompt(Deno.stdin.readable);
  return readPrompts(await terminalStreams(), systemClock, interrupted);
}

async function terminalStreams(): Promise<TerminalStreams> {
  const { stdin, stderr } = (await import("node:process")).default;
  return { input: stdin, screen: stderr };
}

/** The addresses of a name, as the system finds them. */
async function addressesOf(name: string): Promise<string[]> {
  const [{ default: process }, { lookup }] = await Promise.all([
    import("node:process"),
    import("node:dns/promises"),
  ]);
  // Older runtimes warn of a part of their own here.
  Object.assign(process, { noDeprecation: true });
  return (await lookup(name, { all: true })).map(({ address }) => address);
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

function complain(message: string): void {
  write(Deno.stderr, `patb-cli-bridge: ${oneLine(message, MAX_COMPLAINT)}\n`);
}

/** What was complained of: the same is not said again. */
const complaints = new Set<string>();
function complainOnce(message: string): void {
  if (!complaints.has(message)) complain(message);
  complaints.add(message);
}

/** Whether something was lost on its way to stdout. */
let isLost = false;

function write(file: Pick<Deno.FsFile, "writeSync">, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) {
      written += writeSome(file, bytes.subarray(written));
    }
  } catch (thrown) {
    // Whoever closed the other end does not want to know, and the bridge goes on.
    if (thrown instanceof Deno.errors.BrokenPipe || file !== Deno.stdout) return;
    if (!isLost) complain(`stdout cannot be written: ${thrown}`);
    isLost = true;
  }
}

/** Writes what there is room for; a pipe that does not block is asked until there is some. */
function writeSome(file: Pick<Deno.FsFile, "writeSync">, bytes: Uint8Array): number {
  try {
    return file.writeSync(bytes);
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.WouldBlock)) throw thrown;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE);
    return 0;
  }
}

if (import.meta.main) {
  const status = await main();
  Deno.exit(isLost && status === 0 ? 1 : status);
}
