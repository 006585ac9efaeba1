import type * as z from "zod/mini";
import { BridgeError } from "../errors.ts";
import { parse } from "../parse.ts";
import { parseRunEvent, type RunEvent, RunStarted, ThreadCreated } from "./events.ts";
import { bodyText, noKey, refused, unexpected, unreachable } from "./failures.ts";
import { readFrames } from "./sse.ts";

/** The part of `fetch` that the client needs. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** What the client needs to reach the service. */
export interface ServiceOptions {
  /** The service's address; may have a path, under which its routes then stand. */
  host: URL;
  /** The value of `X-API-Key`; without one, every call fails with a message that says so. */
  apiKey: string | undefined;
  fetch: Fetch;
  /**
   * A `fetch` that never uses a connection twice. On one that died meanwhile, `fetch` sends a
   * request again by itself, and a run started twice is a prompt answered twice.
   */
  fetchOnce: Fetch;
}

/** The remote agent service, over HTTP. Every call ends with its signal. */
export interface ServiceClient {
  /** Creates a thread, and returns its id. */
  createThread(signal: AbortSignal): Promise<string>;
  /** Starts a run of the prompt on a thread, and returns the run's id. */
  startRun(
    threadId: string,
    prompt: string,
    signal: AbortSignal,
  ): Promise<string>;
  /** The events of a run; ends after its `complete`, or throws. Leaving the loop disconnects. */
  runEvents(
    threadId: string,
    runId: string,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent>;
}

/** The agent that the service runs. */
const AGENT = "the-brain";

/** What an HTTP header can carry (RFC 9110 §5.5). */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Makes a client of the service. */
export function createServiceClient(options: ServiceOptions): ServiceClient {
  const { host } = options;
  const name = host.host;

  function url(...segments: string[]): URL {
    const path = segments.map(encodeURIComponent).join("/");
    return new URL(`${host.pathname.replace(/\/+$/, "")}/${path}`, host);
  }

  function key(): string {
    const { apiKey } = options;
    if (apiKey === undefined) throw noKey("missing");
    if (!HEADER_VALUE.test(apiKey)) throw noKey("unusable");
    return apiKey;
  }

  /** Sends one request; anything but a 2xx is thrown as what it means. */
  async function request(
    what: string,
    fetch: Fetch,
    target: URL,
    init: RequestInit & {
      signal: AbortSignal;
      headers?: Record<string, string>;
    },
  ): Promise<Response> {
    const headers = { ...init.headers, "X-API-Key": key() };
    let response: Response;
    try {
      // A redirect would take the key to another origin, and may turn a POST into a GET.
      response = await fetch(target, { ...init, headers, redirect: "manual" });
    } catch (thrown) {
      init.signal.throwIfAborted();
      throw unreachable(what, name, thrown);
    }
    if (!response.ok) throw await refused(what, name, response);
    return response;
  }

  /** Reads the JSON of an answer by its schema. */
  async function json<T extends z.core.$ZodType>(
    what: string,
    schema: T,
    response: Response,
    signal: AbortSignal,
  ): Promise<z.output<T>> {
    let text: string;
    try {
      text = await bodyText(response);
    } catch (thrown) {
      signal.throwIfAborted();
      throw unreachable(what, name, thrown);
    }
    try {
      return parse(schema, JSON.parse(text), "internal", "answer");
    } catch (thrown) {
      const got = thrown instanceof BridgeError
        ? `an ${thrown.message}`
        : "something that is not JSON";
      throw unexpected(what, name, got);
    }
  }

  return {
    async createThread(signal) {
      const what = "create a thread";
      const response = await request(what, options.fetch, url("threads"), {
        method: "POST",
        signal,
      });
      return (await json(what, ThreadCreated, response, signal)).thread_id;
    },

    async startRun(threadId, prompt, signal) {
      const what = "start the run";
      const response = await request(
        what,
        options.fetchOnce,
        url("threads", threadId, "runs"),
        {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ agentName: AGENT, prompt, wait: false }),
          signal,
        },
      );
      return (await json(what, RunStarted, response, signal)).run_id;
    },

    async *runEvents(threadId, runId, signal) {
      const what = "follow the run";
      const response = await request(
        what,
        options.fetch,
        url("threads", threadId, "runs", runId, "stream"),
        { headers: { "Accept": "text/event-stream" }, signal },
      );
      const type = response.headers.get("content-type") ?? "no content type";
      if (response.body === null || !type.startsWith("text/event-stream")) {
        await response.body?.cancel();
        throw unexpected(what, name, `${type} instead of an event stream`);
      }
      try {
        for await (const data of readFrames(response.body)) {
          const event = parseRunEvent(data);
          if (event === undefined) continue;
          yield event;
          if (event.event === "complete") return;
        }
      } catch (thrown) {
        signal.throwIfAborted();
        throw unreachable(what, name, thrown);
      }
      throw unreachable(what, name, undefined);
    },
  };
}
