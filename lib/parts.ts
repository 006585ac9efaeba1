import { findApiKey, keyStore } from "./api_key.ts";
import { type Config, isLoopback } from "./config.ts";
import { createCredentials } from "./credentials.ts";
import { createHistory } from "./history.ts";
import { createLog, type Log } from "./log.ts";
import { createLogWriter } from "./log_writer.ts";
import type { Parts } from "./serve.ts";
import type { ServiceOptions } from "./service/client.ts";
import { createDemo } from "./service/demo.ts";
import { createThreads } from "./service/threads.ts";
import type { Surroundings } from "./surroundings.ts";
import { stateFolder } from "./user_folders.ts";

/** How fast the practice service is, in milliseconds between two frames. */
const DEMO_PACE = 250;

/** The parts of a bridge but for its streams. */
export interface StreamlessParts extends Omit<Parts, "input" | "output"> {
  /** Resolves when all that was logged is written. */
  flushLog(): Promise<void>;
}

/** Makes the parts of a bridge from its configuration. */
export async function createParts(
  config: Config,
  surroundings: Surroundings,
): Promise<StreamlessParts> {
  const { clock, complain, cwd, stderr, user, version } = surroundings;
  // No word that could stand in a text: the key is taken out of whatever is said.
  const demoKey = crypto.randomUUID();
  const credentials = createCredentials(
    async () => config.demo ? demoKey : (await findApiKey(surroundings))?.value,
    () => keyStore(surroundings).remove(),
  );
  await credentials.refresh(); // before anything is logged: the log must know what to hide
  const logWriter = createLogWriter(config.logFile, stderr, complain);
  const log = createLog({
    level: config.logLevel,
    write: logWriter.write,
    secrets: credentials.secrets,
    now: clock.now,
  });
  const folder = stateFolder(user);
  return {
    credentials,
    history: createHistory(config.history && folder && `${folder}/sessions`, {
      log,
      now: clock.now,
      limits: config.history ?? { sessions: 0, age: 0 },
    }),
    files: { outDir: config.outDir, anyPath: config.anyPath, cwd, os: user.os },
    origin: config.demo ? "the practice service" : config.host.origin,
    threads: createThreads(serviceOptions(config, () => credentials.apiKey, log, surroundings)),
    clock,
    log,
    progress: config.progress,
    version,
    flushLog: logWriter.flush,
  };
}

/** How the service is reached: the remote one, or the practice service. */
export function serviceOptions(
  { demo, host, limits }: Config,
  apiKey: () => string | undefined,
  log: Log,
  { bypassProxy, clock }: Surroundings,
): ServiceOptions {
  const common = { host, apiKey, clock, log, random: Math.random, limits };
  if (demo) {
    const fetch = createDemo({ clock, pace: DEMO_PACE });
    return { ...common, fetch, fetchOnce: fetch };
  }
  // A proxy is no way to this machine itself, and would see the key of a plain http:// request.
  if (isLoopback(host)) bypassProxy(host.hostname.replace(/[[\]]/g, ""));
  let client: Deno.HttpClient | undefined; // made when needed, for the sake of the start
  return {
    ...common,
    fetch,
    fetchOnce(url, init) {
      client ??= Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      return fetch(url, { ...init, client });
    },
  };
}
