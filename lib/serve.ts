import type { Agent } from "./acp/agent.ts";
import { createDispatch } from "./acp/methods.ts";
import type { Clock } from "./clock.ts";
import { createConnection } from "./connection.ts";
import { createLineWriter, readLines } from "./jsonl.ts";
import type { Log } from "./log.ts";
import type { Threads } from "./service/threads.ts";

/** What the bridge is made of. */
export interface Parts {
  /** The editor's messages, JSON Lines. */
  input: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Where the bridge's messages go, JSON Lines. */
  output: WritableStream<Uint8Array<ArrayBuffer>>;
  threads: Threads;
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
  /** Cancels all requests that are not answered yet, and says how many those were. */
  cancelAll(): number;
  /** Resolves when all requests received so far are answered, and the answers written. */
  answered(): Promise<void>;
}

/** Puts the parts together and serves the editor. */
export function serve(parts: Parts): Bridge {
  const { threads, clock, log, progress, version } = parts;
  const agent: Agent = {
    threads,
    clock,
    progress,
    version,
    handshake: undefined,
    sessions: new Map(),
  };
  const writer = createLineWriter(parts.output);
  const connection = createConnection(writer, createDispatch(agent), log);
  const served = connection.serve(readLines(parts.input));
  const readerGone = writer.failed.catch(() => void connection.cancelAll());
  return {
    finished: Promise.race([served, readerGone]),
    cancelAll: connection.cancelAll,
    answered: connection.answered,
  };
}
