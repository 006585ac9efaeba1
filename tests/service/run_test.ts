import assert from "node:assert/strict";
import { createLog } from "../../lib/log.ts";
import { createDemo, frame } from "../../lib/service/demo.ts";
import { createThreads } from "../../lib/service/threads.ts";
import { createFakeClock } from "../fake_clock.ts";
import { type BridgeOptions, STANDARD_LIMITS, startEditor } from "../support.ts";

const connected = frame({ event: "connected", run_id: "r" });
const complete = frame({
  event: "complete",
  data: { result: { instructorState: { explanation: "done" } } },
});
const progress = (status: string, timestamp?: string) =>
  frame({ event: "progress", progress: { node: "n", status, timestamp } });
const forever = () => new Promise<never>(() => {});

/** Runs one prompt against a scripted service; returns what the editor saw, and how long it took. */
async function turn(options: Omit<BridgeOptions, "clock">) {
  const clock = createFakeClock();
  const editor = startEditor({ ...options, clock });
  const sessionId = await editor.open();
  const start = clock.now();
  const answer = await clock.play(editor.request("session/prompt", { sessionId, prompt: "x" }));
  const seconds = (clock.now() - start) / 1000;
  const streams = editor.requests.filter(({ path }) => path.endsWith("/stream")).length;
  const runs = editor.requests.filter(({ path }) => path.endsWith("/runs")).length;
  await editor.end();
  assert.equal(clock.timers, 0, "no timer is left behind");
  assert.equal(runs, 1, "one prompt, one run");
  return { answer, texts: editor.texts(sessionId), seconds, streams };
}

const ended = { stopReason: "end_turn" };

Deno.test("followRun connects again when the stream ends before complete, cleanly or not", async () => {
  for (const cut of [() => {}, () => Promise.reject(new Error("reset"))]) {
    const { answer, texts, streams } = await turn({
      async *stream(_, attempt) {
        yield connected;
        if (attempt < 3) {
          yield progress(`part ${attempt}`).slice(0, attempt === 1 ? undefined : -9);
          return await cut();
        }
        yield complete;
      },
    });
    assert.deepEqual(answer.result, ended);
    assert.deepEqual(texts, ["🔄 [n] part 1\n", "done"]);
    assert.equal(streams, 3);
  }
});

Deno.test("followRun does not show again what the service repeats on a later connection", async () => {
  const { texts } = await turn({
    async *stream(_, attempt) {
      yield connected;
      yield progress("a", "1");
      yield progress("a", "1"); // on one connection it is no repetition
      yield progress("b");
      if (attempt === 1) return;
      yield progress("a", "2");
      yield complete;
    },
  });
  const shown = ["a", "a", "b", "a"].map((status) => `🔄 [n] ${status}\n`);
  assert.deepEqual(texts, [...shown, "done"]);
});

Deno.test("followRun waits longer and longer, and gives up when attempts bring nothing", async () => {
  const { answer, seconds, streams } = await turn({
    async *stream() {
      yield connected;
    },
  });
  assert.equal(answer.error?.code, -32603);
  assert.match(answer.error?.message ?? "", /closed the connection; gave up after 60 s/);
  assert.equal(seconds, 60);
  assert.equal(streams, 12); // after 0.2, 0.4, 0.8, … 10 s, and at last what was left
});

Deno.test("followRun does not give up while connections live, or bring something", async () => {
  const patient = await turn({
    async *stream(_, attempt) {
      yield connected;
      if (attempt === 8) yield complete;
      else await forever(); // until it has been silent for 90 s
    },
  });
  assert.deepEqual(patient.answer.result, ended);
  assert.equal(Math.round(patient.seconds), 7 * 90 + 1);

  const chatty = await turn({
    async *stream(_, attempt) {
      yield connected;
      yield attempt === 500 ? complete : progress(String(attempt));
    },
  });
  assert.deepEqual(chatty.answer.result, ended);
  assert.equal(Math.round(chatty.seconds), 100); // 0.2 s each time
});

Deno.test("followRun tries once more after a wait that the service asked for, however long", async () => {
  const { answer, seconds } = await turn({
    intercept: ({ path, attempt }) =>
      path.endsWith("/stream") && attempt === 1
        ? new Response(null, { status: 503, headers: { "retry-after": "3600" } })
        : undefined,
  });
  assert.deepEqual(answer.result, ended);
  assert.equal(seconds, 60); // 60 s are honoured
});

Deno.test("followRun leaves a connection alone that was hard to get", async () => {
  const { answer, seconds } = await turn({
    intercept: ({ path, attempt }) =>
      path.endsWith("/stream") && attempt < 10 ? new Response(null, { status: 502 }) : undefined,
    async *stream() {
      yield connected;
      yield complete;
    },
  });
  assert.deepEqual(answer.result, ended);
  assert.ok(seconds > 40 && seconds < 60);
});

Deno.test("followRun counts a frame of an artifact as something", async () => {
  const { answer } = await turn({
    async *stream(_, attempt) {
      yield connected;
      yield attempt === 400 ? complete : frame({ event: "artifact", artifact: { name: "a.md" } });
    },
  });
  assert.deepEqual(answer.result, ended);
});

Deno.test("followRun waits out what passes, as long as the service asks", async () => {
  const date = new Date(Date.UTC(2026, 0, 1) + 20_000).toUTCString();
  const table: [number, Record<string, string>, number][] = [
    [408, {}, 0.2],
    [425, {}, 0.2],
    [429, { "retry-after": "7" }, 7],
    [500, {}, 0.2],
    [502, {}, 0.2],
    [503, { "retry-after": date }, 20],
    [503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0.2],
    [503, { "retry-after": "0" }, 0.2],
    [503, { "retry-after": "1.5" }, 0.2],
    [503, { "retry-after": "-1" }, 0.2],
    [504, { "retry-after": "soon" }, 0.2],
  ];
  for (const [status, headers, wait] of table) {
    const { answer, seconds } = await turn({
      intercept: ({ path, attempt }) =>
        path.endsWith("/stream") && attempt === 1
          ? new Response("<html>", { status, headers })
          : undefined,
    });
    assert.deepEqual(answer.result, ended, String(status));
    assert.equal(seconds, wait, String(status));
  }
});

Deno.test("followRun answers at once what does not pass", async () => {
  const table: [Response, RegExp][] = [
    [new Response("<html>", { status: 400 }), /^Cannot follow the run: service.test answered 400$/],
    [Response.json({ error: "no such run" }, { status: 404 }), /404 \(no such run\): it does not/],
    [Response.json({}, { status: 401 }), /401: it refuses the API key; check PATBA_API_KEY$/],
    [new Response("", { status: 302, headers: { location: "https://a.test/x" } }), /to a\.test/],
    [new Response("<html>", { headers: { "content-type": "text/html" } }), /text\/html instead of/],
    [new Response(null), /no content type instead of an event stream/],
  ];
  for (const [response, message] of table) {
    const { answer, seconds, streams } = await turn({
      intercept: ({ path }) => path.endsWith("/stream") ? response : undefined,
    });
    assert.equal(answer.error?.code, -32603);
    assert.match(answer.error?.message ?? "", message);
    assert.deepEqual([seconds, streams], [0, 1]);
  }
});

Deno.test("followRun gives up a run of which nothing is heard after the service was away", async () => {
  const { answer, seconds } = await turn({
    intercept: ({ path, attempt }) =>
      path.endsWith("/stream") && attempt === 2 ? Promise.reject(new Error("gone")) : undefined,
    async *stream(_, attempt) {
      yield connected;
      if (attempt > 1) await forever();
    },
  });
  assert.match(answer.error?.message ?? "", /the service may have restarted and lost it/);
  assert.equal(Math.round(seconds), 181);
});

Deno.test("followRun trusts a run again that is heard of after the service was away", async () => {
  const { answer, seconds } = await turn({
    intercept: ({ path, attempt }) =>
      path.endsWith("/stream") && attempt === 2 ? Promise.reject(new Error("gone")) : undefined,
    async *stream(_, attempt) {
      yield connected;
      if (attempt === 2) yield progress("still here");
      if (attempt === 5) yield complete;
      else if (attempt > 1) await forever();
    },
  });
  assert.deepEqual(answer.result, ended);
  assert.equal(Math.round(seconds), 3 * 90 + 1);
});

Deno.test("run gives up a turn that takes too long", async () => {
  const { answer, seconds } = await turn({
    async *stream() {
      yield connected;
      await forever();
    },
  });
  assert.match(answer.error?.message ?? "", /^Gave up the turn after 900 s \(--turn-timeout\)/);
  assert.equal(seconds, 900);
});

Deno.test("run gives the events up to `complete`, and connects no more", async () => {
  const clock = createFakeClock();
  let connections = 0;
  const fetch = createDemo({
    clock,
    async *stream() {
      connections++;
      yield connected + progress("a");
      yield complete;
    },
  });
  const threads = createThreads({
    host: new URL("https://service.test/"),
    apiKey: () => "key",
    fetch,
    fetchOnce: fetch,
    clock,
    log: createLog({ level: "error", write: () => {}, secrets: [], now: clock.now }),
    random: () => 0.5,
    limits: STANDARD_LIMITS,
  });
  const kinds: string[] = [];
  async function runOnce(): Promise<void> {
    const { signal } = new AbortController();
    const thread = await threads.create(signal);
    for await (const batch of thread.run("hello", signal).events) {
      kinds.push(...batch().map(({ event }) => event));
    }
  }
  await clock.play(runOnce());
  assert.deepEqual([kinds, connections], [["connected", "progress", "complete"], 1]);
});
