// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import { ParseError } from "eventsource-parser";
import { sleep, within } from "../clock.ts";
import { BridgeError } from "../errors.ts";
import { waitFor } from "./wait_for.ts";
import { bodyBytes, bodyText } from "./answer.ts";
import { createEventReader } from "./event_reader.ts";
import { type RunEvent, RunStarted, ThreadCreated } from "./events.ts";
import {
  cutOff,
  endlessFrame,
  type FailureTraits,
  outcomeUnknown,
  ServiceFailure,
  silent,
  tooLarge,
  unexpected,
} from "./failures.ts";
import { createHttp, type Fetch, type HttpOptions } from "./http.ts";
import type { Limits } from "./limits.ts";
import { type Batch, MAX_FRAME, readFrames } from "./sse.ts";

/** What the client needs to reach the service. */
export interface ServiceOptions extends HttpOptions {
  fetch: Fetch;
  /**
   * A `fetch` that never uses a connection twice: of a request on one that died meanwhile nobody
   * knows whether it was received, and a run must not be started twice.
   */
  fetchOnce: Fetch;
  /** A number from 0 up to 1. */
  random: () => number;
  limits: Limits;
}

/** The routes of the remote agent service. What fails is thrown as a {@linkcode ServiceFailure}. */
export interface ServiceClient {
  /** Throws when the service does not answer, which it does without a key. */
  checkHealth(signal: AbortSignal): Promise<void>;
  /** Throws when the service cannot be asked, or does not take the key. */
  checkKey(signal: AbortSignal): Promise<void>;
  /** Creates a thread, and returns its id. */
  createThread(signal: AbortSignal): Promise<string>;
  /** Throws when the service would not take a prompt of this size. */
  checkPrompt(prompt: string): void;
  /**
   * Starts a run of the prompt on a thread, and returns the run's id. It is sent again only when
   * the service certainly did not receive it. The signal keeps it from being sent, but an answer
   * is waited for: the run that it names may be at work.
   */
  startRun(threadId: string, prompt: string, signal: AbortSignal): Promise<string>;
  /** Fetches the bytes of a file that the agent wrote. */
  artifact(threadId: string, name: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * One connection to a run's stream: its events, up to `complete`, those together that came
   * together. Leaving the loop disconnects.
   *
   * @param opened called when the stream is open, before its first event
   */
  connect(
    threadId: string,
    runId: string,
    signal: AbortSignal,
    opened: () => void,
  ): AsyncGenerator<Batch<RunEvent>>;
}

/** The agent that the service runs. */
const AGENT = "the-brain";
/** The most bytes of UTF-8 that a character of a string may take. */
const MAX_BYTES = 3;
/** How often a request is sent at the most. */
const MAX_ATTEMPTS = 3;
/** The largest file that is fetched, in bytes. */
const MAX_ARTIFACT = 64 * 1024 * 1024;
/** The largest answer to `GET /health`, in bytes. */
const MAX_HEALTH = 64 * 1024;
/** How long an open stream may be silent, in milliseconds: a half-open one would stay for ever. */
const MAX_SILENCE = 90_000;

/** Makes a client of the service. */
export function createServiceClient(options: ServiceOptions): ServiceClient {
  const { clock, random, limits } = options;
  const http = createHttp(options);
  const hostName = options.host.host;

  /** Tries until it works, the failure is not `again`'s, or has happened too often. */
  async function attempt<T>(
    send: () => Promise<T>,
    again: (traits: FailureTraits) => boolean | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    for (let failures = 1;; failures++) {
      signal.throwIfAborted();
      try {
        return await send();
      } catch (thrown) {
        if (!(thrown instanceof ServiceFailure) || !again(thrown.traits)) throw thrown;
        if (failures === MAX_ATTEMPTS) throw thrown;
        await sleep(clock, waitFor(thrown, failures, random), signal);
      }
    }
  }

  function runRequest(prompt: string): string {
    return JSON.stringify({ agentName: AGENT, prompt, wait: false });
  }

  /** A page is for people: it comes from a network that wants them to log in, say. */
  function refusePage(response: Response): void {
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/html\b/i.test(type)) throw unexpected("check the key", hostName, "a web page");
  }

  return {
    async checkHealth(signal) {
      const { fetch } = options;
      const what = "ask how the service is";
      const request = {
        what,
        fetch,
        method: "GET",
        path: ["health"],
        keyless: true,
        signal,
      } as const;
      const text = await http.send(request, (response) => bodyText(response, MAX_HEALTH));
      if (text.trim() !== "OK") throw unexpected(what, hostName, "something else than OK");
    },

    async checkKey(signal) {
      const { fetch } = options;
      const request = {
        what: "check the key",
        fetch,
        method: "GET",
        path: ["threads"],
        signal,
      } as const;
      try {
        await attempt(() => http.send(request, refusePage), (traits) => traits.passing, signal);
      } catch (thrown) {
        // There is no such route: who is told so has been let in.
        if (!(thrown instanceof ServiceFailure) || thrown.traits.status !== 404) throw thrown;
      }
    },

    async createThread(signal) {
      const what = "create a thread";
      const { fetch } = options;
      const request = { what, fetch, method: "POST", path: ["threads"], signal } as const;
      const send = () => http.json(request, ThreadCreated);
      return (await attempt(send, (traits) => traits.passing, signal)).thread_id;
    },

    checkPrompt(prompt) {
      if (limits.maxPrompt === 0) return;
      const request = runRequest(prompt);
      if (request.length * MAX_BYTES <= limits.maxPrompt) return;
      const size = new TextEncoder().encode(request).length;
      if (size > limits.maxPrompt) throw tooLarge(size, limits.maxPrompt);
    },

    async startRun(threadId, prompt, signal) {
      const request = {
        what: "start the run",
        fetch: options.fetchOnce,
        method: "POST",
        path: ["threads", threadId, "runs"],
        headers: { "Content-Type": "application/json" },
        body: new Blob([runRequest(prompt)]),
        signal: new AbortController().signal, // what is on its way is not called back
      } as const;
      const send = () => http.json(request, RunStarted);
      const again = ({ passing, unreceived }: FailureTraits) => passing && unreceived;
      try {
        return (await attempt(send, again, signal)).run_id;
      } catch (thrown) {
        if (!(thrown instanceof ServiceFailure) || thrown.traits.unreceived) throw thrown;
        throw outcomeUnknown(thrown);
      }
    },

    async artifact(threadId, name, signal) {
      // What no path can carry, or would lead to another route.
      if (["", ".", ".."].includes(name) || !name.isWellFormed()) {
        throw new ServiceFailure("its name is not allowed");
      }
      const request = {
        what: "fetch the file",
        fetch: options.fetch,
        method: "GET",
        path: ["threads", threadId, "artifacts", name],
        signal,
      } as const;
      const send = () => http.send(request, (response) => bodyBytes(response, MAX_ARTIFACT));
      return await attempt(send, (traits) => traits.passing, signal);
    },

    async *connect(threadId, runId, signal, opened) {
      const request = {
        what: "follow the run",
        fetch: options.fetch,
        method: "GET",
        path: ["threads", threadId, "runs", runId, "stream"],
        headers: { "Accept": "text/event-stream" },
        signal,
      } as const;
      const body = await http.send(request, async (response) => {
        const type = response.headers.get("content-type") ?? "no content type";
        if (response.body !== null && /^text\/event-stream\b/i.test(type)) return response.body;
        await response.body?.cancel();
        const got = `${http.withoutKey(type)} instead of an event stream`;
        throw unexpected(request.what, hostName, got);
      });
      opened();
      const { decodeLong, takeEvents } = createEventReader(http);
      // A read that waits is ended here: not every runtime ends it when the request is aborted.
      const inTime = <T>(read: Promise<T>) =>
        abortable(within(clock, MAX_SILENCE, read, () => silent(hostName, MAX_SILENCE)), signal);
      try {
        let isOver = false;
        for await (const frames of readFrames(body, { inTime, decodeLong })) {
          yield () => {
            const events = takeEvents(frames());
            isOver = events.at(-1)?.event === "complete";
            return events;
          };
          if (isOver) return;
        }
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof BridgeError) throw thrown;
        if (thrown instanceof ParseError) throw endlessFrame(hostName, MAX_FRAME);
        throw cutOff(hostName, thrown);
      }
      throw cutOff(hostName);
    },
  };
}
