import assert from "node:assert/strict";
import * as v from "valibot";
import { frame } from "../../lib/service/demo.ts";
import { type BridgeOptions, startEditor, Update } from "../support.ts";

const forever = () => new Promise<never>(() => {});
const Session = v.object({ sessionId: v.string() });
const List = v.object({
  sessions: v.array(v.object({
    sessionId: v.string(),
    cwd: v.string(),
    title: v.optional(v.string()),
    updatedAt: v.pipe(v.string(), v.isoTimestamp()),
  })),
  nextCursor: v.optional(v.string()),
});

async function* replying(prompt: string) {
  yield frame({ event: "progress", progress: { node: "n", status: prompt, timestamp: "t" } });
  const result = { instructorState: { explanation: `reply to ${prompt}` } };
  yield frame({ event: "complete", data: { result } });
}

/** Starts an editor that has shaken hands, with a history in the folder. */
async function start(
  historyFolder: string,
  options: BridgeOptions = {},
  version: string | number = 1,
) {
  const editor = startEditor({
    stream: ({ prompt }) => replying(prompt),
    historyFolder,
    ...options,
  });
  await editor.request("initialize", { protocolVersion: version });
  return editor;
}

/** Starts a session in a folder, and returns its id. */
async function open(editor: Awaited<ReturnType<typeof start>>, cwd: string): Promise<string> {
  const { result } = await editor.request("session/new", { cwd, mcpServers: [] });
  return v.parse(Session, result).sessionId;
}

Deno.test("session/load shows a session of the past again, before it answers", async () => {
  const folder = await Deno.makeTempDir();
  const first = await start(folder);
  const sessionId = await open(first, "/folder");
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  const prompt = [{ type: "text", text: "one" }, link];
  await first.request("session/prompt", { sessionId, prompt });
  await first.request("session/prompt", { sessionId, prompt: "two" });
  await first.end();
  const seen = first.said.filter(({ method }) => method !== undefined).map(({ params }) => params);
  const title = { sessionId, update: { sessionUpdate: "session_info_update", title: "one" } };
  assert.deepEqual(seen[0], title, "the title comes before the first turn's reply");
  assert.equal(first.lines.filter((line) => line.includes("session_info_update")).length, 1);

  const second = await start(folder);
  const params = { sessionId, cwd: "/folder", mcpServers: [] };
  assert.deepEqual((await second.request("session/load", params)).result, {});
  const shown = second.said.slice(1, -1).map(({ params }) => params);
  const isUser = (params: unknown) => JSON.stringify(params).includes("user_message_chunk");
  assert.deepEqual(shown.filter((each) => !isUser(each)), seen.slice(1));
  const User = v.object({ update: v.object({ messageId: v.string(), content: v.unknown() }) });
  const users = shown.filter(isUser).map((each) => v.parse(User, each).update);
  assert.deepEqual(users.map(({ content }) => content), [...prompt, { type: "text", text: "two" }]);
  assert.equal(users[0]?.messageId, users[1]?.messageId, "one message, two blocks");
  assert.match(users[0]?.messageId ?? "", /^prompt_\d{13}$/);

  await second.request("session/prompt", { sessionId, prompt: "three" });
  const thread = (editor: typeof first) =>
    editor.requests.find(({ path }) => path.endsWith("/runs"))?.path;
  assert.equal(thread(second), thread(first), "it goes on in its thread");
  assert.ok(!second.lines.some((line) => line.includes("session_info_update")));
  await second.end();
});

Deno.test("session/resume takes a session up without showing it", async () => {
  const folder = await Deno.makeTempDir();
  const first = await start(folder);
  const sessionId = await open(first, "/folder");
  await first.request("session/prompt", { sessionId, prompt: "one" });
  await first.end();
  const second = await start(folder);
  assert.deepEqual((await second.request("session/resume", { sessionId, cwd: "/" })).result, {});
  assert.deepEqual(second.texts(sessionId), []);
  const { result } = await second.request("session/prompt", { sessionId, prompt: "two" });
  assert.deepEqual(result, { stopReason: "end_turn" });
  await second.end();
});

Deno.test("session/load shows nothing of a cancelled turn that was not shown then", async () => {
  const folder = await Deno.makeTempDir();
  const event = (status: string) => frame({ event: "progress", progress: { node: "n", status } });
  const connecting = Array.from({ length: 40 }, () => Promise.withResolvers<void>());
  const coming = connecting.map(() => Promise.withResolvers<void>());
  const first = await start(folder, {
    async *stream({ prompt }) {
      connecting[Number(prompt)]?.resolve();
      await coming[Number(prompt)]?.promise;
      yield event("one") + event("two");
      await forever();
    },
  });
  const ids: string[] = [];
  // The cancel comes a step later each time, as the events make their way.
  for (let steps = 0; steps < connecting.length; steps++) {
    const sessionId = ids[steps] = await open(first, "/folder");
    const answered = first.request("session/prompt", { sessionId, prompt: String(steps) });
    await connecting[steps]?.promise;
    coming[steps]?.resolve();
    for (let step = 0; step < steps; step++) await undefined;
    first.send({ method: "session/cancel", params: { sessionId } });
    assert.deepEqual((await answered).result, { stopReason: "cancelled" });
  }
  const shown = ids.map((id) => first.texts(id));
  await first.end();
  const second = await start(folder);
  for (const sessionId of ids) {
    await second.request("session/load", { sessionId, cwd: "/folder", mcpServers: [] });
  }
  await second.end();
  const loaded = ids.map((id) => second.texts(id).filter((text) => text.startsWith("🔄")));
  assert.deepEqual(loaded, shown);
  assert.ok(shown.some((texts) => texts.length === 0) && shown.some((texts) => texts.length === 2));
});

Deno.test("session/load refuses what it does not know, and another service's session", async () => {
  const folder = await Deno.makeTempDir();
  const first = await start(folder, { origin: "https://other.test" });
  const sessionId = await open(first, "/folder");
  await first.end();
  const second = await start(folder);
  for (const method of ["session/load", "session/resume"]) {
    const other = await second.request(method, { sessionId, cwd: "/", mcpServers: [] });
    assert.equal(other.error?.code, -32602);
    assert.match(other.error?.message ?? "", /https:\/\/other\.test/);
    const unknown = await second.request(method, { sessionId: "session_none0000", cwd: "/" });
    assert.match(unknown.error?.message ?? "", /Unknown session "session_none0000"/);
  }
  await second.end();
});

Deno.test("session/list gives the newest first, by folder and page by page", async () => {
  const folder = await Deno.makeTempDir();
  const editor = await start(folder);
  const ids: string[] = [];
  for (let i = 0; i < 120; i++) ids.push(await open(editor, i % 2 === 0 ? "/even" : "/odd"));
  const list = async (params: object) => {
    const { result, error } = await editor.request("session/list", params);
    return error === undefined ? v.parse(List, result) : error.code;
  };
  const found: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    assert.ok(typeof page === "object");
    sizes.push(page.sessions.length);
    found.push(...page.sessions.map(({ sessionId }) => sessionId));
    const times = page.sessions.map(({ updatedAt }) => updatedAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(sizes, [50, 50, 20]);
  assert.deepEqual(found.toSorted(), ids.toSorted());

  const even = await list({ cwd: "/even" });
  assert.ok(typeof even === "object" && even.sessions.every(({ cwd }) => cwd === "/even"));
  const values = [[], [1, "s"], { updatedAt: "1", sessionId: "s" }, { updatedAt: 1 }];
  const endless = '{"updatedAt":1e999,"sessionId":"s"}';
  const texts = [...values.map((value) => JSON.stringify(value)), endless];
  for (const foreign of ["x", "!", ...texts.map(btoa)]) {
    assert.equal(await list({ cursor: foreign }), -32602, foreign);
  }
  await editor.end();
});

Deno.test("session/close and session/delete end the prompts of a session first", async () => {
  const folder = await Deno.makeTempDir();
  for (const method of ["session/close", "session/delete"]) {
    const editor = await start(folder, {
      async *stream() {
        yield frame({ event: "connected" });
        await forever();
      },
    });
    const sessionId = await open(editor, "/folder");
    await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "x" } });
    await editor.send({ id: 2, method: "session/prompt", params: { sessionId, prompt: "queued" } });
    assert.deepEqual((await editor.request(method, { sessionId })).result, {});
    const answers = editor.said.filter(({ id }) => id === 1 || id === 2);
    assert.deepEqual(
      answers.map(({ result }) => result),
      Array(2).fill({ stopReason: "cancelled" }),
    );
    const after = await editor.request("session/prompt", { sessionId, prompt: "x" });
    assert.equal(after.error?.code, -32602);
    const closedAgain = await editor.request(method, { sessionId });
    if (method === "session/delete") assert.deepEqual(closedAgain.result, {});
    else assert.equal(closedAgain.error?.code, -32602);
    const loaded = await editor.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
    assert.equal(loaded.error === undefined, method === "session/close");
    await editor.end();
  }
});

Deno.test("a prompt that comes with session/delete is none of a session", async () => {
  const folder = await Deno.makeTempDir();
  const editor = await start(folder, {
    async *stream() {
      yield frame({ event: "connected" });
      await forever();
    },
  });
  const sessionId = await open(editor, "/folder");
  const params = { sessionId, prompt: "x" };
  await editor.send({ id: 1, method: "session/prompt", params });
  const lines = [
    { jsonrpc: "2.0", id: 2, method: "session/delete", params },
    { jsonrpc: "2.0", id: 3, method: "session/prompt", params },
  ];
  await editor.send(lines.map((line) => JSON.stringify(line)).join("\n"));
  const { error } = await editor.receive(({ id }) => id === 3);
  assert.equal(error?.code, -32602);
  await editor.receive(({ id }) => id === 2);
  await editor.end();
  assert.deepEqual([...Deno.readDirSync(folder)], [], "and nothing of it is left behind");
});

Deno.test("session/delete ends what a load that comes after it has taken up", async () => {
  const folder = await Deno.makeTempDir();
  const editor = await start(folder);
  const sessionId = await open(editor, "/folder");
  const params = { sessionId, cwd: "/", mcpServers: [] };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "session/delete", params },
    { jsonrpc: "2.0", id: 2, method: "session/load", params },
  ];
  const answers = lines.map(({ id }) => editor.receive((message) => message.id === id));
  await editor.send(lines.map((line) => JSON.stringify(line)).join("\n"));
  await Promise.all(answers);
  const { error } = await editor.request("session/prompt", { sessionId, prompt: "x" });
  assert.equal(error?.code, -32602);
  await editor.end();
});

Deno.test("a session that is closed and taken up again waits for its run, and repeats no id", async () => {
  const folder = await Deno.makeTempDir();
  const editor = await start(folder, {
    async *stream({ prompt }, connection) {
      for (let i = 0; i < 50; i++) {
        yield frame({ event: "progress", progress: { node: "n", status: `${prompt} ${i}` } });
      }
      if (prompt === "first" && connection === 1) await forever();
      yield frame({ event: "complete", data: {} });
    },
  });
  const sessionId = await open(editor, "/folder");
  await editor.send({ id: 1, method: "session/prompt", params: { sessionId, prompt: "first" } });
  await editor.receive(({ params }) => JSON.stringify(params ?? "").includes("first 49"));
  await editor.request("session/close", { sessionId });
  await editor.request("session/resume", { sessionId, cwd: "/" });
  await editor.request("session/prompt", { sessionId, prompt: "second" });
  await editor.end();
  const paths = editor.requests.map(({ path }) => path.split("/").slice(3).join("/"));
  const [first, second] = ["runs/run_1/stream", "runs/run_2/stream"];
  assert.deepEqual(paths.slice(1), ["runs", first, first, "runs", second]);
  const ids = editor.said.flatMap(({ params }) => v.is(Update, params) ? [params] : [])
    .map(({ update }) => update.messageId);
  assert.equal(ids.length, 101);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test('the "1.0" contract gets no update of another kind', async () => {
  const folder = await Deno.makeTempDir();
  const before = await start(folder, { progress: "thought" });
  const thoughts = await open(before, "/folder");
  await before.request("session/prompt", { sessionId: thoughts, prompt: "one" });
  await before.end();
  const editor = await start(folder, {}, "1.0");
  await editor.request("session/load", { sessionId: thoughts, cwd: "/", mcpServers: [] });
  assert.equal(editor.texts(thoughts).length, 1, "the reply");
  const sessionId = await open(editor, "/folder");
  await editor.request("session/prompt", { sessionId, prompt: "one" });
  await editor.request("session/load", { sessionId, cwd: "/", mcpServers: [] });
  await editor.end();
  const updates = editor.said.filter(({ method }) => method !== undefined);
  assert.equal(updates.length, 5); // that, and progress and reply, twice
  assert.ok(updates.every((said) => JSON.stringify(said).includes('"agent_message_chunk"')));
});

Deno.test("session/close ends a load that comes with it, and the session stays closed", async () => {
  const folder = await Deno.makeTempDir();
  for (const method of ["session/close", "session/delete"]) {
    for (const isOpen of [true, false]) {
      const first = await start(folder);
      const sessionId = await open(first, "/folder");
      for (const prompt of ["one", "two"]) {
        await first.request("session/prompt", { sessionId, prompt });
      }
      if (!isOpen) await first.end();
      const editor = isOpen ? first : await start(folder);
      const before = editor.said.length;
      const params = { sessionId, cwd: "/", mcpServers: [] };
      const lines = [
        { jsonrpc: "2.0", id: "load", method: "session/load", params },
        { jsonrpc: "2.0", id: "end", method, params },
      ];
      await editor.send(lines.map((line) => JSON.stringify(line)).join("\n"));
      const ended = await editor.receive(({ id }) => id === "end");
      assert.deepEqual(ended.result, {});
      const prompted = await editor.request("session/prompt", { sessionId, prompt: "x" });
      assert.equal(prompted.error?.code, -32602);
      await editor.end();
      const since = editor.said.slice(before);
      const [load, end] = ["load", "end"].map((each) => since.findIndex(({ id }) => id === each));
      assert.ok(
        load !== undefined && end !== undefined && load < end,
        "the load is answered first",
      );
      assert.equal(since[load]?.error?.code, -32800);
      assert.ok(since.slice(end + 1).every((said) => said.method === undefined));
    }
  }
});

Deno.test("what comes while the service's code is loaded waits for it, and can be cancelled", async () => {
  const loaded = Promise.withResolvers<void>();
  const editor = await start(await Deno.makeTempDir(), { loaded: loaded.promise });
  const wanted = { cwd: "/folder", mcpServers: [] };
  const [first, second, third] = [1, 2, 3].map((id) => {
    const answered = editor.receive((message) => message.id === id);
    editor.send({ id, method: "session/new", params: wanted });
    return answered;
  });
  await editor.send({ method: "$/cancel_request", params: { requestId: 2 } });
  assert.deepEqual((await editor.request("agents/list")).error, undefined);
  assert.equal(editor.said.filter(({ id }) => typeof id === "number").length, 0);
  loaded.resolve();
  assert.equal((await second)?.error?.code, -32800);
  const { sessionId } = v.parse(Session, (await first)?.result);
  assert.notEqual(v.parse(Session, (await third)?.result).sessionId, sessionId);
  const { result } = await editor.request("session/prompt", { sessionId, prompt: "one" });
  assert.deepEqual(result, { stopReason: "end_turn" });
  await editor.end();
});
