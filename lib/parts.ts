import { findApiKey, keyStore } from "./api_key.ts";
import type { Config } from "./config.ts";
import { createCredentials } from "./credentials.ts";
import { createHistory } from "./history.ts";
import { createLog } from "./log.ts";
import { createLogWriter } from "./log_writer.ts";
import type { Parts } from "./serve.ts";
import type { Threads } from "./service/threads.ts";
import type { Surroundings } from "./surroundings.ts";
import { stateFolder } from "./user_folders.ts";

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
  const demoKey = config.demo ? crypto.randomUUID() : undefined;
  const credentials = createCredentials(
    async () => demoKey ?? (await findApiKey(surroundings))?.value,
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
  let threads: Promise<Threads> | undefined;
  async function openThreads(): Promise<Threads> {
    const service = await import("./remote_service.ts"); // no part of the start
    return service.openThreads(config, () => credentials.apiKey, log, surroundings);
  }
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
    loadThreads: () => threads ??= openThreads(),
    clock,
    log,
    progress: config.progress,
    version,
    flushLog: logWriter.flush,
  };
}
