import assert from "node:assert/strict";
import * as v from "valibot";
import { frame } from "../../lib/service/demo.ts";
import { createFakeClock } from "../fake_clock.ts";
import { type Said, startEditor, Update } from "../support.ts";

const forever = () => new Promise<never>(() => {});
const connected = frame({ event: "connected" });
const progress = (status: string) =>
  frame({ event: "progress", progress: { node: "n", status, timestamp: status } });
const complete = (explanation: string) =>
  frame({ event: "complete", data: { result: { instructorState: { explanation } } } });

const cancelled = { stopReason: "cancelled" };
const ended = { stopReason: "end_turn" };
const hasId = (id: unknown) => (said: Said) => said.id === id;

Deno.test("session/cancel ends a prompt at once, at any moment", async () => {
  const moments = {
    "before the run exists": { intercept: hang("/runs") },
    "while connecting": { intercept: hang("/stream") },
    "while the stream is silent": { stream: silent },
    "while waiting to try again": { intercept: failing("/stream") },
    "while waiting to send again": { intercept: failing("/runs") },
  };
  for (const [moment, script] of Object.entries(moments)) {
    const clock = createFakeClock();
    const editor = startEditor({ ...script, clock });
    const sessionId = await editor.open();
    await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "x" } });
    await editor.send({ id: 2, method: "session/prompt", params: { sessionId, prompt: "queued" } });
    await clock.advance(100);
    const start = clock.now();
    await editor.send({ method: "session/cancel", params: { sessionId } });
    for (const id of [1, 2]) {
      assert.deepEqual((await editor.receive(hasId(id))).result, cancelled, moment);
    }
    assert.equal(clock.now(), start, moment);
    await editor.end();
  }

  function hang(path: string) {
    return (request: { path: string }) => request.path.endsWith(path) ? forever() : undefined;
  }
  function failing(path: string) {
    return (request: { path: string }) =>
      request.path.endsWith(path)
        ? new Response(null, { status: 503, headers: { "retry-after": "60" } })
        : undefined;
  }
  async function* silent() {
    yield connected;
    await forever();
  }
});

Deno.test("session/cancel after a prompt's answer, and for others, does nothing", async () => {
  const editor = startEditor();
  const sessionId = await editor.open();
  const cancel = { method: "session/cancel", params: { sessionId } };
  await editor.send(cancel);
  await editor.send({ method: "session/cancel", params: { sessionId: "session_nope" } });
  await editor.send({ method: "$/cancel_request", params: { requestId: 99 } });
  const params = { sessionId, prompt: "x" };
  assert.deepEqual((await editor.request("session/prompt", params)).result, ended);
  await editor.send(cancel);
  await editor.send(cancel);
  assert.deepEqual((await editor.request("session/prompt", params)).result, ended);
  await editor.end();
  assert.deepEqual(editor.logged, []);
});

Deno.test("$/cancel_request cancels the request with just that id", async () => {
  const editor = startEditor({
    intercept: ({ path, attempt }) => path === "/threads" && attempt === 2 ? forever() : undefined,
    async *stream() {
      yield connected;
      await forever();
    },
  });
  const sessionId = await editor.open();
  const params = { sessionId, prompt: "x" };
  const big = "9007199254740993";
  await editor.send(
    `{"jsonrpc":"2.0","id":${big},"method":"session/prompt","params":${JSON.stringify(params)}}`,
  );
  await editor.send({ id: "7", method: "session/prompt", params });
  await editor.send({ id: 7, method: "session/new" });
  const cancel = (id: string) =>
    editor.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${id}}}`);
  await cancel("9007199254740992");
  await cancel("7");
  const { error } = await editor.receive(hasId(7));
  assert.equal(error?.code, -32800);
  await cancel(big);
  await cancel('"7"');
  assert.deepEqual((await editor.receive(hasId("7"))).result, cancelled);
  await editor.end();
  assert.ok(
    editor.lines.includes(`{"jsonrpc":"2.0","id":${big},"result":{"stopReason":"cancelled"}}`),
  );
});

Deno.test("nothing is said of a turn after its answer, though its events are at hand", async () => {
  const clock = createFakeClock();
  const editor = startEditor({
    clock,
    async *stream() {
      yield connected + Array.from({ length: 1000 }, (_, i) => progress(String(i))).join("");
      yield complete("the end");
    },
  });
  const sessionId = await editor.open();
  await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "x" } });
  await editor.receive(({ method }) => method === "session/update");
  await editor.send({ method: "session/cancel", params: { sessionId } });
  assert.deepEqual((await editor.receive(hasId(1))).result, cancelled);
  await clock.advance(1000);
  await editor.end();
  assert.equal(editor.said.at(-1)?.id, 1);
});

Deno.test("the next prompt waits for the run that was cancelled, and does not show its text", async () => {
  const clock = createFakeClock();
  const finish = Promise.withResolvers<void>();
  const editor = startEditor({
    clock,
    async *stream(run, attempt) {
      yield connected;
      if (run.prompt === "first") {
        if (attempt === 1) await forever();
        yield progress("of the first");
        await finish.promise;
      }
      yield complete(`reply to ${run.prompt}`);
    },
  });
  const sessionId = await editor.open();
  const runs = () => editor.requests.filter(({ path }) => path.endsWith("/runs")).length;
  await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "first" } });
  await clock.advance(100);
  await editor.send({ method: "session/cancel", params: { sessionId } });
  await editor.receive(hasId(1));
  await editor.send({ id: 2, method: "session/prompt", params: { sessionId, prompt: "second" } });
  await clock.advance(2000);
  assert.equal(runs(), 1, "the second run has not been started");
  finish.resolve();
  assert.deepEqual((await clock.play(editor.receive(hasId(2)))).result, ended);
  assert.equal(runs(), 2);
  assert.deepEqual(editor.texts(sessionId), [
    "🔄 [the-brain] Waiting for the turn before this one to end\n",
    "reply to second",
  ]);
  await editor.end();
});

Deno.test("a run that ended is not asked for again by the next prompt", async () => {
  const editor = startEditor();
  const sessionId = await editor.open();
  for (const prompt of ["one", "two", "three"]) {
    await editor.request("session/prompt", { sessionId, prompt });
  }
  await editor.end();
  assert.equal(editor.requests.filter(({ path }) => path.endsWith("/stream")).length, 3);
});

Deno.test("the next prompt does not wait for ever, and says nothing where it need not wait", async () => {
  for (const [firstEnds, wait] of [[true, 0], [false, 8]]) {
    const clock = createFakeClock();
    const editor = startEditor({
      clock,
      async *stream(run, attempt) {
        yield connected;
        if (run.prompt === "first" && (attempt === 1 || !firstEnds)) await forever();
        yield complete(`reply to ${run.prompt}`);
      },
    });
    const sessionId = await editor.open();
    await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "first" } });
    await clock.advance(100);
    await editor.send({ method: "session/cancel", params: { sessionId } });
    await editor.receive(hasId(1));
    const start = clock.now();
    const params = { sessionId, prompt: "second" };
    const { result } = await clock.play(editor.request("session/prompt", params));
    assert.deepEqual(result, ended);
    assert.equal((clock.now() - start) / 1000, wait);
    assert.equal(editor.texts(sessionId).length, firstEnds ? 1 : 2);
    await editor.end();
  }
});

Deno.test("prompts of one session run in turn, those of others at the same time", async () => {
  const gate = Promise.withResolvers<void>();
  const editor = startEditor({
    async *stream(run) {
      yield connected;
      if (run.prompt === "slow") await gate.promise;
      yield complete(run.prompt);
    },
  });
  const [a, b] = [await editor.open(), await editor.open()];
  const prompt = (id: number, sessionId: string, prompt: string) =>
    editor.send({ id, method: "session/prompt", params: { sessionId, prompt } });
  await prompt(1, a, "slow");
  await prompt(2, a, "next");
  await prompt(3, b, "other");
  await editor.receive(hasId(3));
  gate.resolve();
  await editor.receive(hasId(2));
  await editor.end();
  const order = editor.said.map(({ id }) => id).filter((id) => typeof id === "number");
  assert.deepEqual(order, [3, 1, 2]);
  assert.deepEqual(editor.texts(a), ["slow", "next"]);
});

Deno.test("the reply stands in one piece with the answer; message ids are unique", async () => {
  const clock = createFakeClock();
  const editor = startEditor({
    clock,
    async *stream() {
      yield connected + progress("1") + progress("2") + complete("reply");
      await forever(); // complete ends the turn, whatever the socket does
    },
  });
  const [a, b] = [await editor.open(), await editor.open()];
  await Promise.all(
    [a, b, a].map((sessionId) =>
      clock.play(editor.request("session/prompt", { sessionId, prompt: "x" }))
    ),
  );
  await editor.end();
  editor.said.forEach((said, index) => {
    if (JSON.stringify(said.result) !== JSON.stringify(ended)) return;
    const before = v.parse(Update, editor.said[index - 1]?.params);
    assert.equal(before.update.content.text, "reply");
  });
  const ids = editor.said.filter(({ method }) => method !== undefined)
    .map(({ params }) => v.parse(Update, params))
    .map(({ sessionId, update }) => `${sessionId} ${update.messageId}`);
  assert.equal(ids.length, 9);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("an editor that does not read stops the stream, and can still cancel", async () => {
  let sent = 0;
  let closed = false;
  const editor = startEditor({
    async *stream() {
      try {
        yield connected;
        for (; sent < 100_000; sent++) yield progress("x".repeat(1000) + sent);
        yield complete("reply");
      } finally {
        closed = true;
      }
    },
  });
  const sessionId = await editor.open();
  editor.pause();
  await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "x" } });
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setTimeout(resolve));
  const before = sent;
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setTimeout(resolve));
  assert.equal(sent, before);
  assert.ok(sent < 1000, `${sent} events were taken`);
  await editor.send({ method: "session/cancel", params: { sessionId } });
  for (let i = 0; i < 10 && !closed; i++) await new Promise((resolve) => setTimeout(resolve));
  assert.ok(closed, "the connection is closed, though the editor does not read yet");
  editor.resume();
  assert.deepEqual((await editor.receive(hasId(1))).result, cancelled);
  await editor.end();
});

Deno.test("progress is shown as the setting says, and as a thought only in ACP v1", async () => {
  const table: [string | number, "message" | "thought" | "off", (string | undefined)[]][] = [
    ["1.0", "message", ["agent_message_chunk", "agent_message_chunk"]],
    ["1.0", "thought", ["agent_message_chunk", "agent_message_chunk"]],
    ["1.0", "off", ["agent_message_chunk"]],
    [1, "message", ["agent_message_chunk", "agent_message_chunk"]],
    [1, "thought", ["agent_thought_chunk", "agent_message_chunk"]],
    [1, "off", ["agent_message_chunk"]],
  ];
  for (const [version, progressMode, kinds] of table) {
    const editor = startEditor({
      progress: progressMode,
      async *stream() {
        yield progress("1") + complete("reply");
      },
    });
    const sessionId = await editor.open(version);
    await editor.request("session/prompt", { sessionId, prompt: "x" });
    await editor.end();
    const updates = editor.said.flatMap(({ params }) => v.is(Update, params) ? [params] : []);
    assert.deepEqual(updates.map(({ update }) => update.sessionUpdate), kinds);
  }
});
