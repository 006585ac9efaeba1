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
  /** Runs a prompt, at most once, when its events are asked for; one run at a time. */
  run(prompt: string, signal: AbortSignal): Run;
}

/** A prompt that is run on a thread; a signal that aborts ends all of it at once. */
export interface Run {
  /**
   * Its events up to `complete`. The thread's earlier run comes to its end first: two at once would
   * cost the thread one of the turns. Leaving the loop ends the run at once.
   *
   * @throws {ServiceFailure} when the run cannot be started or followed, or takes too long
   */
  readonly events: AsyncGenerator<Batch<RunEvent>>;
  /** Aborted when the prompt's signal is, or the run has had its time. */
  readonly signal: AbortSignal;
  /** Fetches the bytes of a file that an event tells of, in the time that the run has. */
  artifact(name: string): Promise<Uint8Array<ArrayBuffer>>;
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
  const follow = (runId: string, end: AbortController) =>
    followRun({ ...options, client, hostName: options.host.host }, id, runId, end);
  /** The id of a run that was left before its end, when the service has told it, if ever. */
  let left: Promise<string | undefined> | undefined;

  /** Waits for the end of the run that was left, but not for long; what it says is not shown. */
  async function endOfLeft(signal: AbortSignal): Promise<void> {
    const end = linked(signal);
    const unschedule = clock.schedule(MAX_WAIT, () => end.abort());
    try {
      const runId = left === undefined ? undefined : await abortable(left, end.signal);
      if (runId !== undefined) { for await (const batch of follow(runId, end)) batch(); }
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

  async function* eventsOf(
    prompt: string,
    end: AbortController,
  ): AsyncGenerator<Batch<RunEvent>> {
    const unschedule = clock.schedule(limits.turn, () => end.abort(turnTooLong(limits.turn)));
    try {
      yield* settle(end.signal);
      const started = client.startRun(id, prompt, end.signal);
      left = started.catch(() => undefined);
      for await (const batch of follow(await abortable(started, end.signal), end)) {
        yield () => {
          const events = batch();
          // Before it is given out: whoever gets it may not come back.
          if (events.at(-1)?.event === "complete") left = undefined;
          return events;
        };
      }
    } finally {
      unschedule();
    }
  }

  return {
    id,
    checkPrompt: client.checkPrompt,
    run(prompt, signal) {
      const end = linked(signal);
      return {
        events: eventsOf(prompt, end),
        signal: end.signal,
        artifact: (name) => client.artifact(id, name, end.signal),
      };
    },
  };
}
