// @ts-types="./declarations/parse_args.d.ts"
import { parseArgs } from "@std/cli/parse-args";

/** The deployed service. */
const DEFAULT_HOST = "https://d33ib4uu7f4xpi.cloudfront.net";

/** What the user wants done. */
export type Command =
  | { kind: "help" }
  | { kind: "version" }
  | { kind: "serve"; config: Config };

/** How to serve an editor, from flags, environment and `.env` file. */
export interface Config {
  /** Serve from the practice service instead of the remote one. */
  demo: boolean;
  /** The address of the service; may have a path. */
  host: URL;
  /** The value of `X-API-Key`, without white space around it. */
  apiKey: string | undefined;
}

/** The names of the variables that are read, and no others. */
export const VARIABLES = ["PATBA_API_KEY", "PATBA_HOST"] as const;
/** The values of the variables: of the environment, or of a `.env` file. */
export type Variables = Partial<
  Record<(typeof VARIABLES)[number], string | undefined>
>;

/** What is wrong with a flag or a variable; its message is for the user. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The text of `--help`. */
export const USAGE =
  `patb-cli-bridge serves the agent "The Brain" to a code editor, as an ACP agent.

Usage: patb-cli-bridge [options]

An editor starts it and speaks the Agent Client Protocol with it over stdin and stdout.

Options:
  --host URL     address of the agent service (PATBA_HOST)
                 default: ${DEFAULT_HOST}
  --demo         serve from the built-in practice service: no key, no network
  -b, --bridge   accepted for settings written for the earlier client; changes nothing
  -h, --help     print this help
  --version      print the version

Environment, or a .env file in the working directory (the environment wins):
  PATBA_API_KEY  key of the agent service
  PATBA_HOST     as --host
`;

/**
 * Reads the command line and its configuration: flags win over the environment, which wins over the `.env` file.
 *
 * @throws {ConfigError} on an unknown flag, one without its value, or an address that is none
 */
export function readCommand(
  args: string[],
  environment: Variables,
  dotenv: Variables,
): Command {
  const flags = readFlags(args);
  if (flags.help) return { kind: "help" };
  if (flags.version) return { kind: "version" };
  const variable = (name: keyof Variables) =>
    environment[name]?.trim() || dotenv[name]?.trim() || undefined;
  const [source, host] = flags.host !== undefined
    ? ["--host", flags.host]
    : ["PATBA_HOST", variable("PATBA_HOST") ?? DEFAULT_HOST];
  const apiKey = variable("PATBA_API_KEY");
  return {
    kind: "serve",
    config: { demo: flags.demo, host: readHost(source, host), apiKey },
  };
}

interface Flags {
  host: string | undefined;
  demo: boolean;
  help: boolean;
  version: boolean;
}

function readFlags(args: string[]): Flags {
  const { host, demo, help, version, _: rest } = parseArgs(args, {
    boolean: ["demo", "bridge", "help", "version"],
    string: ["host"],
    alias: { h: "help", b: "bridge" },
    unknown: (arg) => {
      throw unknownArgument(arg);
    },
  });
  // What the parser does not call unknown: what stands behind "--", and a lone dash.
  const [extra] = args.includes("-") ? ["-"] : rest;
  if (extra !== undefined) throw unknownArgument(String(extra));
  if (host === "") throw new ConfigError("--host needs a value: the URL of the service");
  return {
    host: typeof host === "string" ? host : undefined,
    demo: demo === true,
    help: help === true,
    version: version === true,
  };
}

function unknownArgument(arg: string): ConfigError {
  return new ConfigError(`Unknown argument "${arg}": --help lists the options`);
}

function readHost(source: string, value: string): URL {
  const url = URL.parse(value);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new ConfigError(`${source} must be a URL such as ${DEFAULT_HOST}`);
  }
  if (
    url.username !== "" || url.password !== "" || url.search !== "" ||
    url.hash !== ""
  ) {
    throw new ConfigError(
      `${source} must be a plain URL: no user, password, "?" or "#" in it`,
    );
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new ConfigError(
      `${source} must be an https:// URL: over http:// the API key could be read on its way to ${url.host}`,
    );
  }
  return url;
}

/** Whether a URL's host is this machine itself, by its name or address (RFC 6890). */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname);
}
