// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import { within } from "../clock.ts";
import { linked } from "../linked.ts";
import { createServiceClient, type ServiceOptions } from "./client.ts";
import type { RunEvent } from "./events.ts";
import { turnTooLong } from "./failures.ts";
import { followRun } from "./run.ts";
import type { Batch } from "./sse.ts";

/** A conversation on the service. */
export interface Thread {
  readonly id: string;
  /** Throws when a prompt is too large to be run. */
  checkPrompt(prompt: string): void;
  /**
   * Runs a prompt, at most once, and gives the run's events up to `complete`. The thread's earlier
   * run comes to its end first: two at once would cost the thread one of the turns. One run at a
   * time; a signal that aborts, or leaving the loop, ends it at once.
   *
   * @throws {ServiceFailure} when the run cannot be started or followed, or takes too long
   */
  run(prompt: string, signal: AbortSignal): AsyncGenerator<Batch<RunEvent>>;
  /** Fetches the bytes of a file that the agent wrote, in the time of the run that tells of it. */
  artifact(name: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** The threads of the service. */
export interface Threads {
  /** Creates a new thread. */
  create(signal: AbortSignal): Promise<Thread>;
  /** Takes up a thread that was created earlier. */
  open(id: string): Thread;
  /** Throws when the service cannot be asked, or does not take the key. */
  checkKey(signal: AbortSignal): Promise<void>;
}

/** How long a prompt waits for the cancelled run before it, in milliseconds. */
const MAX_WAIT = 8_000;
/** How long it waits before it says so, in milliseconds. */
const SILENT_WAIT = 500;
/** What it says then. */
const WAITING: RunEvent = {
  event: "progress",
  progress: { node: "the-brain", status: "Waiting for the turn before this one to end" },
};

/** Makes the threads of the service that the options tell of. */
export function createThreads(options: ServiceOptions): Threads {
  const client = createServiceClient(options);
  /** One for each id: it knows whether a run of its was left before its end. */
  const threads = new Map<string, Thread>();

  function open(id: string): Thread {
    const thread = threads.get(id) ?? createThread(options, client, id);
    threads.set(id, thread);
    return thread;
  }

  return {
    create: async (signal) => open(await client.createThread(signal)),
    open,
    checkKey: client.checkKey,
  };
}

function createThread(
  options: ServiceOptions,
  client: ReturnType<typeof createServiceClient>,
  id: string,
): Thread {
  const { clock, limits } = options;
  const follow = (runId: string, signal: AbortSignal) =>
    followRun({ ...options, client, hostName: options.host.host }, id, runId, signal);
  /** The id of a run that was left before its end, when the service has told it, if ever. */
  let left: Promise<string | undefined> | undefined;
  /** Ends the run of now; aborted with the signal that this was given, too. */
  let running: AbortSignal | undefined;

  /** Waits for the end of the run that was left, but not for long; what it says is not shown. */
  async function endOfLeft(signal: AbortSignal): Promise<void> {
    const end = linked(signal);
    const unschedule = clock.schedule(MAX_WAIT, () => end.abort());
    try {
      const runId = left === undefined ? undefined : await abortable(left, end.signal);
      if (runId !== undefined) { for await (const batch of follow(runId, end.signal)) batch(); }
    } catch {
      signal.throwIfAborted(); // otherwise: whatever became of that run, it has had its time
    } finally {
      unschedule();
    }
    left = undefined;
  }

  async function* settle(signal: AbortSignal): AsyncGenerator<Batch<RunEvent>> {
    if (left === undefined) return;
    const ended = endOfLeft(signal);
    const still = new Error("the run is still at work");
    try {
      await within(clock, SILENT_WAIT, ended, () => still);
    } catch (thrown) {
      if (thrown !== still) throw thrown;
      yield () => [WAITING];
      await ended;
    }
  }

  return {
    id,
    checkPrompt: client.checkPrompt,
    artifact: (name, signal) => client.artifact(id, name, running ?? signal),
    async *run(prompt, signal) {
      const end = linked(signal);
      running = end.signal;
      const unschedule = clock.schedule(limits.turn, () => end.abort(turnTooLong(limits.turn)));
      try {
        yield* settle(end.signal);
        const started = client.startRun(id, prompt, end.signal);
        left = started.catch(() => undefined);
        for await (const batch of follow(await abortable(started, end.signal), end.signal)) {
          yield () => {
            const events = batch();
            // Before it is given out: whoever gets it may not come back.
            if (events.at(-1)?.event === "complete") left = undefined;
            return events;
          };
        }
      } finally {
        unschedule();
        running = undefined;
      }
    },
  };
}
