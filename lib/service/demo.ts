// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { byteStream } from "./byte_stream.ts";
import type { Fetch } from "./http.ts";
import { nextReply } from "./journey.ts";

/** One request to the practice service. */
export interface DemoRequest {
  method: string;
  /** The path, percent-encoded as it came. */
  path: string;
  headers: Headers;
  /** The body's text; empty where there is none. */
  body: string;
}

/** A run of the practice service. */
export interface DemoRun {
  id: string;
  threadId: string;
  prompt: string;
  /** The number of its turn in its thread, from 1. */
  turn: number;
  /** How often its stream was connected to so far. */
  connections: number;
}

/** How the practice service behaves where it should not just answer. */
export interface DemoOptions {
  clock: Clock;
  /** The time between the frames of a run, in milliseconds. */
  pace?: number;
  /** Answers a request itself, with delays and errors as it likes; a throw is a lost connection. */
  intercept?: (request: DemoRequest) => Promise<Response | undefined> | Response | undefined;
  /** The body of a run's stream, on its nth connection, from 1; a throw cuts the connection. */
  stream?: (run: DemoRun, connection: number) => AsyncIterable<string | Uint8Array>;
}

const RunRequest = v.object({
  agentName: v.literal("the-brain"),
  prompt: v.string(),
  wait: v.literal(false),
});

/** The largest body that the service takes, in bytes. */
const MAX_REQUEST = 102_400;
/** The pages that the service's framework answers with, instead of JSON, to what it cannot read. */
const HTML = { "Content-Type": "text/html; charset=utf-8" };

/** One frame of a stream, with the given event as its data. */
export function frame(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/**
 * Makes a practice service: a `fetch` that answers as the remote service would, without a key or
 * a network, and keeps its threads in memory.
 */
export function createDemo(options: DemoOptions): Fetch {
  const { clock, pace = 0 } = options;
  /** How many turns each thread has had. */
  const threads = new Map<string, number>();
  const runs = new Map<string, DemoRun>();

  async function* lesson(run: DemoRun): AsyncGenerator<string> {
    yield frame({ event: "connected", run_id: run.id });
    for (
      const status of ["Starting agent workflow for: the-brain", "Run complete"]
    ) {
      await pause(pace);
      const timestamp = new Date(clock.now()).toISOString();
      const progress = {
        threadId: run.threadId,
        node: "the-brain",
        status,
        timestamp,
      };
      yield frame({ event: "progress", progress });
    }
    const explanation = nextReply(run.prompt, run.turn);
    yield frame({
      event: "complete",
      data: { result: { instructorState: { explanation } } },
    });
  }

  function framesOf(run: DemoRun): AsyncIterable<string | Uint8Array> {
    run.connections++;
    return options.stream?.(run, run.connections) ?? lesson(run);
  }

  /** A run that the service does not know is connected to, and then silent for ever. */
  async function* unknownRun(id: string): AsyncGenerator<string> {
    yield frame({ event: "connected", run_id: id });
    await new Promise(() => {});
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => clock.schedule(milliseconds, resolve));
  }

  function startRun(threadId: string, body: string): Response {
    if (new TextEncoder().encode(body).length > MAX_REQUEST) {
      return new Response("<html><title>413 Payload Too Large</title></html>", {
        status: 413,
        headers: HTML,
      });
    }
    const request = v.safeParse(RunRequest, JSON.parse(body));
    if (!request.success || request.output.prompt === "") {
      return Response.json({ error: "Missing required parameter: prompt" }, {
        status: 400,
      });
    }
    const { prompt } = request.output;
    const turn = (threads.get(threadId) ?? 0) + 1;
    threads.set(threadId, turn);
    const run = { id: `run_${runs.size + 1}`, threadId, prompt, turn, connections: 0 };
    runs.set(run.id, run);
    return Response.json({ run_id: run.id, status: "running" }, {
      status: 202,
    });
  }

  function streamOf(
    runId: string,
    signal: AbortSignal | undefined,
  ): Response {
    const run = runs.get(runId);
    const frames = run === undefined ? unknownRun(runId) : framesOf(run);
    return new Response(byteStream(frames, signal), {
      headers: { "Content-Type": "text/event-stream" },
    });
  }

  function answer(
    request: DemoRequest,
    signal: AbortSignal | undefined,
  ): Response {
    const { method, path } = request;
    if (path === "/" || path === "/health") return new Response("OK");
    if (!request.headers.has("X-API-Key")) {
      return Response.json({ error: "401 Unauthorized" }, { status: 401 });
    }
    const [root, threadId, kind, runId, leaf] = path.split("/").slice(1).map(
      decodeURIComponent,
    );
    const route = [method, root, kind, leaf].filter((part) => part !== undefined).join(" ");
    if (route === "POST threads" && threadId === undefined) {
      const id = `thread_${threads.size + 1}`;
      threads.set(id, 0);
      return Response.json({ thread_id: id }, { status: 201 });
    }
    if (
      route === "POST threads runs" && threadId !== undefined &&
      runId === undefined
    ) {
      return startRun(threadId, request.body);
    }
    if (route === "GET threads runs stream" && runId !== undefined) {
      return streamOf(runId, signal);
    }
    return Response.json({ error: "not found" }, { status: 404 });
  }

  async function fetch(url: URL, init: RequestInit): Promise<Response> {
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const body = await new Response(init.body ?? null).text();
    const headers = new Headers(init.headers);
    const request = { method: init.method ?? "GET", path: url.pathname, headers, body };
    return await options.intercept?.(request) ?? answer(request, signal);
  }

  return (url, init) => {
    const answered = fetch(url, init);
    return init.signal ? abortable(answered, init.signal) : answered;
  };
}
