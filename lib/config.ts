import {
  type GivenOptions,
  OPTIONS,
  PROGRESS_MODES,
  type ProgressMode,
  type Setting,
  type Variable,
  type Variables,
} from "./command_line/options.ts";
import { UsageError } from "./command_line/usage_error.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";
import type { Limits } from "./service/limits.ts";

/** How to serve an editor, from flags, environment and `.env` file. */
export interface Config {
  /** Serve from the practice service instead of the remote one. */
  demo: boolean;
  /** The address of the service; may have a path. */
  host: URL;
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

/** Where a value comes from, the first that counts first. */
export type Origin = "flag" | "environment" | ".env" | "login";

/** All that a value may come from. */
export interface Sources {
  options: GivenOptions;
  environment: Variables;
  dotenv: Variables;
}

/** A value as it was found. */
export interface Found {
  value: string;
  origin: Origin;
  /** The flag or variable that has it. */
  name: string;
}

/**
 * What a setting is set to, if it is: flags win over the environment, which wins over the `.env`
 * file; an empty variable counts as none. Files to read or write are not taken from a `.env` file,
 * which may be the work of whoever made the folder that the editor has open.
 */
export function findSetting(name: Setting, { options, ...variables }: Sources): Found | undefined {
  const flag = options[name];
  if (flag !== undefined) return { value: flag, origin: "flag", name: `--${name}` };
  return findVariable(OPTIONS[name].variable, variables);
}

/** As {@linkcode findSetting}, of a variable. */
export function findVariable(
  name: Variable,
  { environment, dotenv }: Omit<Sources, "options">,
): Found | undefined {
  const value = environment[name]?.trim();
  if (value) return { value, origin: "environment", name };
  const inFile = /_(FILE|DIR)$/.test(name) ? undefined : dotenv[name]?.trim();
  return inFile ? { value: inFile, origin: ".env", name } : undefined;
}

/**
 * Reads the configuration.
 *
 * @throws {UsageError} on a value that does not fit, naming the flag or variable that has it
 */
export function readConfig(sources: Sources): Config {
  const { options } = sources;
  function setting<T>(name: StandardSetting, read: (value: string, source: string) => T): T {
    const found = findSetting(name, sources);
    return found ? read(found.value, found.name) : read(OPTIONS[name].standard, `--${name}`);
  }

  return {
    demo: options.demo ?? false,
    host: setting("host", readHost),
    limits: {
      turn: setting("turn-timeout", readSeconds),
      request: setting("request-timeout", readSeconds),
      reattach: setting("reattach-timeout", readSeconds),
      maxPrompt: setting("max-prompt", readBytes),
    },
    progress: setting("progress", readOneOf(PROGRESS_MODES)),
    outDir: setting("out-dir", (path) => path),
    anyPath: options["allow-any-path"] ?? false,
    history: options["no-history"] ? undefined : {
      sessions: setting("history-sessions", readCount),
      age: setting("history-days", readCount) * DAY,
    },
    logLevel: setting("log-level", readOneOf(LOG_LEVELS)),
    logFile: findSetting("log-file", sources)?.value,
  };
}

/** A setting that has a value in any case. */
type StandardSetting = Exclude<Setting, "log-file">;

function readHost(value: string, source: string): URL {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError(`${source} must be a URL such as ${OPTIONS.host.standard}`);
  }
  if (url.href !== url.origin + url.pathname) {
    throw new UsageError(`${source} must be a plain URL: no user, password, "?" or "#" in it`);
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new UsageError(
      `${source} must be an https:// URL: over http:// the API key could be read on its way to ${url.host}`,
    );
  }
  return url;
}

/** A day, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

function readCount(value: string, source: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new UsageError(`${source} must be a number from 1 to 999999, not "${value}"`);
}

/** The longest time that can be set, in seconds: a week. */
const MAX_SECONDS = 7 * 24 * 60 * 60;

/** Reads seconds, and returns milliseconds. */
function readSeconds(value: string, source: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  throw new UsageError(
    `${source} must be a number of seconds above 0 and up to ${MAX_SECONDS}, not "${value}"`,
  );
}

function readBytes(value: string, source: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`${source} must be a number of bytes, or 0 for no limit, not "${value}"`);
}

function readOneOf<T extends string>(names: readonly T[]): (value: string, source: string) => T {
  return (value, source) => {
    const name = names.find((each) => each === value);
    if (name !== undefined) return name;
    throw new UsageError(`${source} must be ${names.join(", ")}, not "${value}"`);
  };
}

/** Whether a URL's host is this machine itself, by its name or address (RFC 6890). */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
