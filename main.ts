import { systemClock } from "./lib/clock.ts";
import {
  type Config,
  ConfigError,
  isLoopback,
  readCommand,
  USAGE,
  VARIABLES,
  type Variables,
} from "./lib/config.ts";
import { createCredentials } from "./lib/credentials.ts";
import { readDotenv } from "./lib/dotenv.ts";
import { BridgeError } from "./lib/errors.ts";
import { streamTo } from "./lib/file_stream.ts";
import { lastMoment, untilOrphaned, untilSignalled } from "./lib/lifetime.ts";
import { createLog, type Log } from "./lib/log.ts";
import { createLogWriter } from "./lib/log_writer.ts";
import { createHistory } from "./lib/history.ts";
import { createKeyStore, type KeyStore } from "./lib/key_store.ts";
import { login } from "./lib/login.ts";
import { oneLine } from "./lib/one_line.ts";
import { serve } from "./lib/serve.ts";
import { createDemo } from "./lib/service/demo.ts";
import { createThreads, type Threads } from "./lib/service/threads.ts";
import {
  configFolder,
  stateFolder,
  USER_VARIABLES,
  type UserEnvironment,
} from "./lib/user_folders.ts";
import manifest from "./deno.json" with { type: "json" };

/** The longest line on stderr, in characters. */
const MAX_COMPLAINT = 300;
/** The exit status of a command line that cannot be understood. */
const USAGE_STATUS = 2;

/** What the practice service is given; no word that could stand in a text. */
const DEMO_KEY = crypto.randomUUID();
/** The process that started the bridge; asked at once, for it may not live long. */
const parent = Deno.ppid;

async function main(): Promise<number> {
  try {
    const command = readCommand(Deno.args, readVariables(), await readDotenv(complain));
    switch (command.kind) {
      case "help":
        return print(USAGE);
      case "version":
        return print(`${manifest.version}\n`);
      case "serve":
        return await serveEditor(command.config);
      case "login":
        return await logIn(command.config);
      case "logout":
        keyStore().remove();
        return print("Logged out: no key is kept any more.\n");
    }
  } catch (thrown) {
    if (!(thrown instanceof ConfigError) && !(thrown instanceof BridgeError)) throw thrown;
    complain(thrown.message);
    return thrown instanceof ConfigError ? USAGE_STATUS : 1;
  }
}

/** Serves the editor until it is done or gone; returns the exit status. */
async function serveEditor(config: Config): Promise<number> {
  if (Deno.stdin.isTerminal()) {
    complain("waiting for an editor on stdin; --help says more, Ctrl-C ends");
  }
  const credentials = createCredentials(() => findKey(config), keyStore().remove);
  await credentials.refresh(); // before anything is logged: the log must know what to hide
  const logWriter = createLogWriter(config.logFile, Deno.stderr, complain);
  const log = createLog({
    level: config.logLevel,
    write: logWriter.write,
    secrets: credentials.secrets,
    now: Date.now,
  });
  const bridge = serve({
    input: Deno.stdin.readable,
    output: streamTo(() => Deno.stdout),
    credentials,
    history: createHistory(config.history === undefined ? undefined : sessionsFolder(), {
      log,
      now: Date.now,
      limits: config.history ?? { sessions: 0, age: 0 },
    }),
    files: { outDir: config.outDir, anyPath: config.anyPath, cwd: Deno.cwd, os: Deno.build.os },
    origin: config.demo ? "the practice service" : config.host.origin,
    threads: connect(config, () => credentials.apiKey, log),
    clock: systemClock,
    log,
    progress: config.progress,
    version: manifest.version,
  });
  const status = await Promise.race([
    bridge.finished.then(() => 0),
    untilSignalled(bridge, Deno.build.os),
    untilOrphaned(parent, Deno.build.os),
  ]);
  await Promise.race([logWriter.flush(), lastMoment()]);
  return status;
}

function connect(config: Config, apiKey: () => string | undefined, log: Log): Threads {
  const { demo, host, limits } = config;
  const common = { host, apiKey, clock: systemClock, log, random: Math.random, limits };
  if (demo) {
    const fetch = createDemo({ clock: systemClock, pace: 250 });
    return createThreads({ ...common, fetch, fetchOnce: fetch });
  }
  // A proxy is no way to this machine itself, and would see the key of a plain http:// request.
  if (isLoopback(host)) {
    const excepted = Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy");
    const name = host.hostname.replace(/[[\]]/g, "");
    Deno.env.set("NO_PROXY", excepted === undefined ? name : `${excepted},${name}`);
  }
  let client: Deno.HttpClient | undefined; // made when needed, for the sake of the start
  return createThreads({
    ...common,
    fetch,
    fetchOnce(url, init) {
      client ??= Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      return fetch(url, { ...init, client });
    },
  });
}

/** The key: that of the environment, or of the `.env` file, or the one that is kept. */
async function findKey({ demo, apiKey }: Config): Promise<string | undefined> {
  if (demo) return DEMO_KEY;
  return apiKey ?? ((await readDotenv(complain)).PATBA_API_KEY?.trim() || keyStore().read());
}

function keyStore(): KeyStore {
  return createKeyStore(configFolder(user()));
}

function sessionsFolder(): string | undefined {
  const folder = stateFolder(user());
  return folder && `${folder}/sessions`;
}

function user(): UserEnvironment {
  const variables = USER_VARIABLES.map((name) => [name, readVariable(name)]);
  return { ...Object.fromEntries(variables), os: Deno.build.os };
}

/** Asks for the key, checks it with the service, and keeps it; returns the exit status. */
async function logIn(config: Config): Promise<number> {
  const log = createLog({ level: "error", write: complain, secrets: [], now: Date.now });
  return await login({
    ask: askForKey,
    check: (key) => connect(config, () => key, log).checkKey(new AbortController().signal),
    keep: keyStore().write,
    say: (message) => print(`${message}\n`),
  });
}

async function askForKey(): Promise<string | undefined> {
  if (!Deno.stdin.isTerminal()) return await new Response(Deno.stdin.readable).text();
  const { promptSecret } = await import("./lib/prompt_secret.ts");
  return promptSecret("API key:") ?? undefined;
}

function readVariables(): Variables {
  return Object.fromEntries(VARIABLES.map((name) => [name, readVariable(name)]));
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
