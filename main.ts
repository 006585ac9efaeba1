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
import { createLineWriter } from "./lib/jsonl.ts";
import { createLog, type Log } from "./lib/log.ts";
import { type Bridge, type Parts, serve } from "./lib/serve.ts";
import { createDemo } from "./lib/service/demo.ts";
import type { Fetch } from "./lib/service/http.ts";
import { createThreads, type Threads } from "./lib/service/threads.ts";
import manifest from "./deno.json" with { type: "json" };

/** How often it is checked that the editor is still there, in milliseconds. */
const PARENT_CHECK = 1000;
/** How long the last lines may take when the bridge is told to end, in milliseconds. */
const LAST_WORDS = 500;
/** How many characters of log may wait to be read. */
const MAX_UNREAD_LOG = 1024 * 1024;
/** The exit status of a command line that cannot be understood. */
const USAGE_STATUS = 2;

const onWindows = Deno.build.os === "windows";
/** The process that started the bridge; asked at once, for it may not live long. */
const parent = Deno.ppid;

async function main(): Promise<number> {
  const input = Deno.stdin.readable; // opened first: what follows goes on while it starts
  try {
    const command = readCommand(Deno.args, readVariables(), await readDotenv());
    switch (command.kind) {
      case "help":
        return print(USAGE);
      case "version":
        return print(`${manifest.version}\n`);
      case "serve":
        return await serveEditor(input, command.config);
    }
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    complain(thrown.message);
    return USAGE_STATUS;
  }
}

/** Serves the editor until it is done or gone; returns the exit status. */
async function serveEditor(input: Parts["input"], config: Config): Promise<number> {
  if (Deno.stdin.isTerminal()) {
    complain("waiting for an editor on stdin; --help says more, Ctrl-C ends");
  }
  const log = createLog({
    level: config.logLevel,
    write: logWriter(config.logFile),
    secret: config.apiKey,
    now: Date.now,
  });
  const bridge = serve({
    input,
    output: streamTo(() => Deno.stdout),
    threads: connect(config, log),
    clock: systemClock,
    log,
    progress: config.progress,
    version: manifest.version,
  });
  return await Promise.race([
    bridge.finished.then(() => 0),
    signalled(bridge),
    parentGone(),
  ]);
}

function connect({ demo, host, caFile, apiKey, limits }: Config, log: Log): Threads {
  const common = { host, clock: systemClock, log, random: Math.random, limits };
  if (demo) {
    const fetch = createDemo({ clock: systemClock, pace: 250 });
    return createThreads({ ...common, apiKey: "demo", fetch, fetchOnce: fetch });
  }
  // A proxy is no way to this machine itself, and would see the key of a plain http:// request.
  if (isLoopback(host)) {
    const excepted = Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy");
    const name = host.hostname.replace(/[[\]]/g, "");
    Deno.env.set("NO_PROXY", excepted === undefined ? name : `${excepted},${name}`);
  }
  const trust = caFile === undefined ? {} : { caCerts: [readCertificates(caFile)] };
  return createThreads({
    ...common,
    apiKey,
    fetch: fetchWith(trust),
    fetchOnce: fetchWith({ ...trust, poolMaxIdlePerHost: 0 }),
  });
}

/** A `fetch` through a client of its own, which is made when needed, for the sake of the start. */
function fetchWith(options: Deno.CreateHttpClientOptions): Fetch {
  let client: Deno.HttpClient | undefined;
  return (url, init) => {
    client ??= Deno.createHttpClient(options);
    return fetch(url, { ...init, client });
  };
}

function readCertificates(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    throw new ConfigError(`The certificates in "${path}" cannot be read: ${cause}`, { cause });
  }
}

/**
 * Resolves with the exit status when a signal ends the bridge. An interrupt, which reaches the
 * bridge too when it is meant for the editor's whole process group, cancels the turns first.
 */
function signalled(bridge: Bridge): Promise<number> {
  return new Promise((resolve) => {
    async function end(status: number): Promise<void> {
      const late = new Promise((resolve) => setTimeout(resolve, LAST_WORDS));
      await Promise.race([bridge.stop(), late]);
      resolve(status);
    }
    Deno.addSignalListener("SIGINT", () => {
      if (bridge.cancelTurns() === 0) end(130);
    });
    if (onWindows) return;
    Deno.addSignalListener("SIGTERM", () => end(143));
    Deno.addSignalListener("SIGHUP", () => end(129));
  });
}

/** Resolves when the process that started the bridge has gone; on Windows only stdin tells. */
function parentGone(): Promise<number> {
  return new Promise((resolve) => {
    if (onWindows) return;
    setInterval(() => {
      if (Deno.ppid !== parent) resolve(0);
    }, PARENT_CHECK);
  });
}

function readVariables(): Variables {
  return Object.fromEntries(
    VARIABLES.map((name) => [name, Deno.env.get(name)]),
  );
}

async function readDotenv(): Promise<Variables> {
  let text: string;
  try {
    if (!Deno.statSync(".env").isFile) return {}; // a folder of that name is somebody else's
    text = Deno.readTextFileSync(".env");
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return {};
    complain(`the .env file cannot be read, so it is not used: ${thrown}`);
    return {};
  }
  const { parseDotenv } = await import("./lib/dotenv.ts");
  return parseDotenv(text);
}

/** A file as a stream. Older `Deno.stdout.writable` tells that its reader has gone a write late. */
function streamTo(
  open: () => Pick<Deno.FsFile, "write"> | Promise<Deno.FsFile>,
): WritableStream<Uint8Array<ArrayBuffer>> {
  let file: Pick<Deno.FsFile, "write">;
  return new WritableStream({
    async start() {
      file = await open();
    },
    async write(chunk) {
      for (let written = 0; written < chunk.length;) {
        written += await file.write(chunk.subarray(written));
      }
    },
  });
}

/** Writes log lines; a log that is not read, or cannot be written, does not hold up the bridge. */
function logWriter(path: string | undefined): (line: string) => void {
  const writer = createLineWriter(
    streamTo(() =>
      path === undefined
        ? Deno.stderr
        : Deno.open(path, { append: true, create: true, mode: 0o600 })
    ),
  );
  writer.failed.catch((cause) => {
    if (path !== undefined) {
      complain(`the log goes no further, ${path} cannot be written: ${cause}`);
    }
  });
  return (line) => {
    if (writer.unread < MAX_UNREAD_LOG) writer.write(line).catch(() => {}); // see `failed`
  };
}

function print(text: string): number {
  write(Deno.stdout, text);
  return 0;
}

function complain(message: string): void {
  write(Deno.stderr, `patb-cli-bridge: ${message}\n`);
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
