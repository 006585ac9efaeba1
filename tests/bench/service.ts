// @ts-types="../../lib/declarations/concat.d.ts"
import { concat } from "@std/bytes/concat";
import { sleep, systemClock } from "../../lib/clock.ts";
import { byteStream } from "../../lib/service/byte_stream.ts";
import { frame } from "../../lib/service/demo.ts";
import * as v from "valibot";
import { moment, Script, statusAt } from "./script.ts";

// The stand-in of the remote service, a process of its own, so that its work counts for no agent.
// It prints its port, and ends when its input does. What a run brings is said by its prompt.

/** How much is handed to the connection at once, in characters or bytes. */
const PIECE = 64 * 1024;

const RunBody = v.object({ prompt: v.string() });
const StreamPath = v.tuple([v.string(), v.string(), v.string(), v.string(), v.string()]);

/** Articles have more than Latin letters, which decides how a text is held in memory. */
const SENTENCE = "The reply is an article — with “quotes”, an é and a line's end now and then.\n";

const scripts = new Map<string, Script>();
const replies = new Map<number, Uint8Array<ArrayBuffer>>();
const encoder = new TextEncoder();

function progress(index: number): string {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const status = statusAt(index, moment());
  return frame({
    event: "progress",
    progress: { threadId: "thread", node: "the-brain", status, timestamp },
  });
}

/** What stands for the text in the frame that is made first. */
const PLACE = "<the text>";

/** The last frame: the text stands in it twice, as the real service sends it. */
function complete(size: number): Uint8Array<ArrayBuffer> {
  const known = replies.get(size);
  if (known !== undefined) return known;
  const id = ["langchain_core", "messages", "AIMessage"];
  const messages = [
    { type: "human", content: "prompt" },
    { lc: 1, type: "constructor", id, kwargs: { content: PLACE } },
  ];
  const data = { result: { messages, instructorState: { explanation: PLACE } } };
  const parts = frame({ event: "complete", data }).split(PLACE).map((part) => encoder.encode(part));
  const sentence = encoder.encode(JSON.stringify(SENTENCE).slice(1, -1));
  const times = Math.ceil(size / encoder.encode(SENTENCE).length);
  const pieces = parts.flatMap((part, index) =>
    index === 0 ? [part] : [...Array.from({ length: times }, () => sentence), part]
  );
  const bytes = concat(pieces);
  replies.set(size, bytes);
  return bytes;
}

async function* frames(runId: string, { events, gap, reply }: Script) {
  const { signal } = new AbortController();
  yield frame({ event: "connected", run_id: runId });
  let piece = "";
  for (let index = 0; index < events; index++) {
    if (gap > 0) {
      await sleep(systemClock, gap, signal);
      yield progress(index);
      continue;
    }
    piece += progress(index);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
  const last = complete(reply);
  for (let start = 0; start < last.length; start += PIECE) {
    yield last.subarray(start, start + PIECE);
  }
}

async function respond(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.split("/").slice(1);
  if (request.method === "POST" && path.length === 1) {
    return Response.json({ thread_id: `thread_${crypto.randomUUID()}` }, { status: 201 });
  }
  if (request.method === "POST") {
    const { prompt } = v.parse(RunBody, await request.json());
    const run_id = `run_${crypto.randomUUID()}`;
    scripts.set(run_id, v.parse(Script, JSON.parse(prompt)));
    return Response.json({ run_id, status: "running" }, { status: 202 });
  }
  const runId = v.parse(StreamPath, path)[3];
  const script = scripts.get(runId);
  if (script === undefined) return Response.json({ error: "404 Not Found" }, { status: 404 });
  scripts.delete(runId);
  const headers = { "content-type": "text/event-stream" };
  return new Response(byteStream(frames(runId, script), request.signal), { headers });
}

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => Deno.stdout.writeSync(encoder.encode(`${port}\n`)),
}, respond);
await Deno.stdin.read(new Uint8Array(1));
await server.shutdown();
