// @ts-types="./declarations/parse_args.d.ts"
import { parseArgs } from "@std/cli/parse-args";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import { DEFAULT_LIMITS, type Limits } from "./service/limits.ts";

/** The deployed service. */
const DEFAULT_HOST = "https://d33ib4uu7f4xpi.cloudfront.net";

/** What the user wants done. */
export type Command =
  | { kind: "help" }
  | { kind: "version" }
  | { kind: "login"; config: Config }
  | { kind: "logout" }
  | { kind: "serve"; config: Config };

/** As part of what the agent says, as its thoughts, or not at all. */
export const PROGRESS_MODES = ["message", "thought", "off"] as const;
export type ProgressMode = (typeof PROGRESS_MODES)[number];

/** How to serve an editor, from flags, environment and `.env` file. */
export interface Config {
  /** Serve from the practice service instead of the remote one. */
  demo: boolean;
  /** The address of the service; may have a path. */
  host: URL;
  /** The API key that the environment has, without white space around it. */
  apiKey: string | undefined;
  limits: Limits;
  /** How the editor shows what the agent is doing. */
  progress: ProgressMode;
  /** The folder for files that the agent writes, relative to the session's or absolute. */
  outDir: string;
  /** Whether the agent may choose a place outside it. */
  anyPath: boolean;
  /** What is kept of past sessions; nothing where it is not set. */
  history: {
    /** How many sessions. */
    sessions: number;
    /** For how long, in milliseconds. */
    age: number;
  } | undefined;
  logLevel: LogLevel;
  /** The file that the log goes to; stderr where there is none. */
  logFile: string | undefined;
}

/** The settings that take a value: each a flag, and the variable that stands for it. */
const SETTINGS = {
  "host": "PATBA_HOST",
  "turn-timeout": "PATBA_TURN_TIMEOUT",
  "request-timeout": "PATBA_REQUEST_TIMEOUT",
  "reattach-timeout": "PATBA_REATTACH_TIMEOUT",
  "max-prompt": "PATBA_MAX_PROMPT",
  "progress": "PATBA_PROGRESS",
  "out-dir": "PATBA_OUT_DIR",
  "history-sessions": "PATBA_HISTORY_SESSIONS",
  "history-days": "PATBA_HISTORY_DAYS",
  "log-level": "PATBA_LOG_LEVEL",
  "log-file": "PATBA_LOG_FILE",
} as const;
type Setting = keyof typeof SETTINGS;

const SWITCHES = ["demo", "allow-any-path", "no-history", "bridge", "help", "version"] as const;

/** The names of the variables that are read, and no others. */
export const VARIABLES = ["PATBA_API_KEY", ...Object.values(SETTINGS)] as const;
/** The values of the variables: of the environment, or of a `.env` file. */
export type Variables = Partial<Record<(typeof VARIABLES)[number], string | undefined>>;

/** What is wrong with a flag or a variable; its message is for the user. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The text of `--help`. */
export const USAGE =
  `patb-cli-bridge serves the agent "The Brain" to a code editor, as an ACP agent.

Usage: patb-cli-bridge [options]          serve an editor
       patb-cli-bridge login [options]    ask for the API key, check it, and keep it
       patb-cli-bridge logout             forget the key that is kept

An editor starts it and speaks the Agent Client Protocol with it over stdin and stdout.
It takes the key from PATBA_API_KEY, in the environment or in a .env file in the working
directory, or else the one that is kept.

Options:
  --host URL              address of the agent service
                          (${DEFAULT_HOST})
  --demo                  serve from the built-in practice service: no key, no network
  --turn-timeout S        give up a turn after so many seconds (900)
  --request-timeout S     give up a request that is not answered (30)
  --reattach-timeout S    give up reaching a run whose connection is lost (60)
  --max-prompt BYTES      refuse larger prompts; 0 for no limit (102400, the service's own)
  --progress MODE         show progress as message, as thought (in ACP v1), or off (message)
  --out-dir PATH          save the agent's files there, from the session's folder (articles)
  --allow-any-path        let the agent choose a place outside that folder
  --no-history            keep nothing of the sessions
  --history-sessions N    keep so many sessions at the most (500)
  --history-days N        keep them for so many days at the most (90)
  --log-level LEVEL       error, info, debug, or trace, which logs the prompts too (error)
  --log-file PATH         log to a file instead of stderr
  -b, --bridge            accepted for settings written for the earlier client
  -h, --help              print this help
  --version               print the version

Each option with a value can be set as a variable, too: --turn-timeout is PATBA_TURN_TIMEOUT.
A flag wins over the environment, which wins over the .env file.
`;

/**
 * Reads the command line and its configuration: flags win over the environment, which wins over
 * the `.env` file; an empty variable counts as none. Files to read or write are not taken from a
 * `.env` file, which may be the work of whoever made the folder that the editor has open.
 *
 * @throws {ConfigError} on an unknown flag, one without its value, or a value that does not fit
 */
export function readCommand(args: string[], environment: Variables, dotenv: Variables): Command {
  const { command, flags } = readFlags(args);
  if (flags.help === true) return { kind: "help" };
  if (flags.version === true) return { kind: "version" };

  const variable = (name: keyof Variables) =>
    environment[name]?.trim() || (!/_(FILE|DIR)$/.test(name) && dotenv[name]?.trim()) || undefined;
  /** What a setting is set to, if it is, read by `read`, which is told who set it. */
  function setting<T>(name: Setting, read: (value: string, source: string) => T): T | undefined {
    const flag = flags[name];
    if (typeof flag === "string") return read(flag, `--${name}`);
    const value = variable(SETTINGS[name]);
    return value === undefined ? undefined : read(value, SETTINGS[name]);
  }

  const config: Config = {
    demo: flags.demo === true,
    host: setting("host", readHost) ?? new URL(DEFAULT_HOST),
    apiKey: environment.PATBA_API_KEY?.trim() || undefined,
    limits: {
      turn: setting("turn-timeout", readSeconds) ?? DEFAULT_LIMITS.turn,
      request: setting("request-timeout", readSeconds) ?? DEFAULT_LIMITS.request,
      reattach: setting("reattach-timeout", readSeconds) ?? DEFAULT_LIMITS.reattach,
      maxPrompt: setting("max-prompt", readBytes) ?? DEFAULT_LIMITS.maxPrompt,
    },
    progress: setting("progress", readOneOf(PROGRESS_MODES)) ?? "message",
    outDir: setting("out-dir", (path) => path) ?? "articles",
    anyPath: flags["allow-any-path"] === true,
    history: flags["no-history"] === true ? undefined : {
      sessions: setting("history-sessions", readCount) ?? 500,
      age: (setting("history-days", readCount) ?? 90) * DAY,
    },
    logLevel: setting("log-level", readOneOf(LOG_LEVELS)) ?? "error",
    logFile: setting("log-file", (path) => path),
  };
  switch (command) {
    case undefined:
      return { kind: "serve", config };
    case "login":
      if (config.demo) throw new ConfigError("login --demo: the practice service takes any key");
      return { kind: "login", config };
    case "logout":
      return { kind: "logout" };
    default:
      throw unknownArgument(command);
  }
}

function readFlags(
  args: string[],
): { command: string | undefined; flags: Record<string, unknown> } {
  const { _: rest, ...flags } = parseArgs(args, {
    boolean: SWITCHES,
    string: Object.keys(SETTINGS),
    alias: { h: "help", b: "bridge" },
    unknown(arg, key) {
      if (key !== undefined) throw unknownArgument(arg);
    },
  });
  const [command, extra = args.find((arg) => arg === "-")] = rest.map(String);
  if (extra !== undefined) throw unknownArgument(extra);
  for (const [name, value] of Object.entries(flags)) {
    if (value === "") throw new ConfigError(`--${name} needs a value: --help says which`);
  }
  return { command, flags };
}

function unknownArgument(arg: string): ConfigError {
  const [name = ""] = arg.split("="); // what follows may be a secret
  return new ConfigError(`Unknown argument "${name}": --help lists the options`);
}

function readHost(value: string, source: string): URL {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new ConfigError(`${source} must be a URL such as ${DEFAULT_HOST}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigError(`${source} must be a plain URL: no user, password, "?" or "#" in it`);
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new ConfigError(
      `${source} must be an https:// URL: over http:// the API key could be read on its way to ${url.host}`,
    );
  }
  return url;
}

/** A day, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

function readCount(value: string, source: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new ConfigError(`${source} must be a number from 1 to 999999, not "${value}"`);
}

/** The longest time that can be set, in seconds: a week. */
const MAX_SECONDS = 7 * 24 * 60 * 60;

/** Reads seconds, and returns milliseconds. */
function readSeconds(value: string, source: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  throw new ConfigError(
    `${source} must be a number of seconds above 0 and up to ${MAX_SECONDS}, not "${value}"`,
  );
}

function readBytes(value: string, source: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new ConfigError(`${source} must be a number of bytes, or 0 for no limit, not "${value}"`);
}

function readOneOf<T extends string>(names: readonly T[]): (value: string, source: string) => T {
  return (value, source) => {
    const name = names.find((each) => each === value);
    if (name !== undefined) return name;
    throw new ConfigError(`${source} must be ${names.join(", ")}, not "${value}"`);
  };
}

/** Whether a URL's host is this machine itself, by its name or address (RFC 6890). */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
