import { type Agent, cancelTurns, type Files } from "./acp/agent.ts";
import { createDispatch } from "./acp/dispatch.ts";
import type { Clock } from "./clock.ts";
import type { Credentials } from "./credentials.ts";
import type { Output } from "./file_bytes.ts";
import type { History } from "./history.ts";
import { createConnection } from "./connection.ts";
import { createLineWriter, readLines } from "./jsonl.ts";
import { describeThrown, type Log } from "./log.ts";

/** What the bridge is made of. */
export interface Parts {
  /** The editor's messages, JSON Lines. */
  input: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Where the bridge's messages go, JSON Lines. */
  output: Output;
  credentials: Credentials;
  loadThreads: Agent["loadThreads"];
  history: History;
  files: Files;
  /** The origin of the service. */
  origin: string;
  clock: Clock;
  log: Log;
  progress: Agent["progress"];
  /** The program's own version. */
  version: string;
}

/** A bridge at work. */
export interface Bridge {
  /**
   * Resolves when the input has ended and all requests are answered, or when the output's reader
   * has gone.
   */
  readonly finished: Promise<void>;
  /** Cancels the turns that are not over yet, and says how many those were. */
  cancelTurns(): number;
  /** Serves no more, and cancels all requests; resolves when their answers are written. */
  stop(): Promise<void>;
}

/** Puts the parts together and serves the editor. */
export function serve(parts: Parts): Bridge {
  const { credentials, loadThreads, history, files, origin, clock, log, progress, version } = parts;
  const agent: Agent = {
    credentials,
    loadThreads,
    history,
    files,
    origin,
    clock,
    progress,
    version,
    handshake: undefined,
    editorWrites: false,
    lastSave: Promise.resolve(),
    loads: new Map(),
    sessions: new Map(),
  };
  const writer = createLineWriter(parts.output);
  const connection = createConnection(writer, createDispatch(agent), log);
  const served = connection.serve(readLines(parts.input));
  const readerGone = writer.failed.catch((cause) => {
    if (!(cause instanceof Deno.errors.BrokenPipe)) {
      log.error(() => `the output cannot be written any more: ${describeThrown(cause)}`);
    }
    return connection.stop();
  });
  return {
    finished: Promise.race([served, readerGone]).then(history.flush),
    cancelTurns: () => cancelTurns(agent),
    async stop() {
      await connection.stop();
      await history.flush();
    },
  };
}
