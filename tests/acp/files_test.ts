import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { frame } from "../../lib/service/demo.ts";
import { createFakeClock } from "../fake_clock.ts";
import { startEditor } from "../support.ts";

const text = "# Plan\nTake over the world. 🧠\n";
const sha256 = createHash("sha256").update(text).digest("hex");
const artifact = { name: "plan.md", size: text.length, sha256 };
const complete = (artifacts: unknown) =>
  frame({
    event: "complete",
    data: { artifacts, result: { instructorState: { explanation: "see plan.md" } } },
  });
const unix = { ignore: Deno.build.os === "windows" };

/** Runs turns whose streams bring these frames; what the editor saw of each update. */
async function turns(
  version: string | number,
  frames: string[][],
  { answer = () => new Response(text), clientCapabilities = {}, onWrite = "write" }: {
    answer?: () => Response | undefined;
    clientCapabilities?: object;
    onWrite?: "write" | "refuse" | "ignore";
  } = {},
) {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  // The disk takes real time, so the clock is the real one, but for waiting for an editor in vain.
  const clock: Clock = {
    ...systemClock,
    schedule: (milliseconds, callback) =>
      systemClock.schedule(onWrite === "ignore" ? milliseconds / 100 : milliseconds, callback),
  };
  const editor = startEditor({
    clock,
    intercept: ({ path }) => path.includes("/artifacts/") ? answer() : undefined,
    async *stream({ turn }) {
      yield* frames[turn - 1] ?? [];
    },
  });
  await editor.request("initialize", { protocolVersion: version, clientCapabilities });
  const { result } = await editor.request("session/new", { cwd, mcpServers: [] });
  for (let i = 0; i < frames.length; i++) {
    const params = { ...Object(result), prompt: "x" };
    const answered = editor.request("session/prompt", params);
    if (onWrite !== "ignore" && "fs" in clientCapabilities) {
      const asked = await editor.receive(({ method }) => method === "fs/write_text_file");
      if (onWrite === "refuse") {
        await editor.send({ id: asked.id, error: { code: 1, message: "no" } });
      } else await editor.send({ id: asked.id, result: null });
    }
    const said = await answered;
    assert.deepEqual(said.result, { stopReason: "end_turn" }, said.error?.message);
  }
  await editor.end();
  const updates = editor.said.filter(({ method }) => method === "session/update")
    .map(({ params }) => JSON.parse(JSON.stringify(params)).update)
    .filter((update) => update.sessionUpdate !== "session_info_update");
  const fetched = editor.requests.filter(({ path }) => path.includes("/artifacts/"));
  return { cwd, updates, fetched, editor };
}

Deno.test(
  "a file is saved before the reply that speaks of it, once in a session",
  unix,
  async () => {
    const event = frame({ event: "artifact", artifact });
    const { cwd, updates, fetched } = await turns("1.0", [
      [event, event, complete([artifact])],
      [complete([artifact, null, { name: 5 }, "odd"])],
      [complete("odd")],
    ]);
    assert.deepEqual(updates.map(({ content }) => content.text), [
      `💾 Saved to ${cwd}/articles/plan.md\n`,
      ...Array(3).fill("see plan.md"),
    ]);
    assert.ok(updates.every(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk"));
    assert.equal(Deno.readTextFileSync(`${cwd}/articles/plan.md`), text);
    assert.equal(fetched.length, 1);
  },
);

Deno.test("ACP v1 sees a tool call with the file's place and difference", unix, async () => {
  const { cwd, updates } = await turns(1, [[complete([artifact])]]);
  const path = `${cwd}/articles/plan.md`;
  const [call, reply] = updates;
  assert.match(call.toolCallId, /^artifact_\d{13}$/);
  assert.deepEqual({ ...call, toolCallId: "" }, {
    sessionUpdate: "tool_call",
    toolCallId: "",
    title: "Save plan.md",
    kind: "edit",
    status: "completed",
    locations: [{ path }],
    content: [{ type: "diff", path, oldText: null, newText: text }],
  });
  assert.equal(reply.content.text, "see plan.md");
});

Deno.test("a file that cannot be saved is said to be so, and the turn goes on", unix, async () => {
  const table: [object, () => Response | undefined, RegExp][] = [
    [artifact, () => new Response("other"), /^⚠️ Could not save "plan\.md": its bytes are not/],
    [
      artifact,
      () => new Response(null, { status: 404 }),
      /^⚠️ Could not save "plan\.md": Cannot fetch the file: .* 404/,
    ],
    [artifact, () => undefined, /^⚠️ Could not save "plan\.md": .*404/],
    [{ name: "plan.md" }, () => new Response(text), /"plan\.md": its bytes are not those/],
    [{ ...artifact, name: ".." }, () => new Response(text), /"\.\.": its name is not allowed/],
    [{ ...artifact, name: ".bashrc" }, () => new Response(text), /"\.bashrc": hidden names/],
    [
      { ...artifact, destination: "/etc/x" },
      () => new Response(text),
      /is outside .*--allow-any-path/,
    ],
  ];
  for (const version of ["1.0", 1]) {
    for (const [file, answer, message] of table) {
      const { updates, cwd } = await turns(version, [[complete([file])]], { answer });
      const [said, reply] = updates;
      assert.match(said.content.text, message);
      assert.ok(said.content.text.endsWith("\n"));
      assert.equal(reply.content.text, "see plan.md");
      assert.deepEqual([...Deno.readDirSync(cwd)], []);
    }
  }
});

Deno.test("a file that cannot be saved is said to be so once in a turn", unix, async () => {
  const event = frame({ event: "artifact", artifact });
  const other = { ...artifact, name: "other.md" };
  let asked = 0;
  const { updates } = await turns("1.0", [
    [event, event, complete([artifact, other])],
    [complete([artifact])],
  ], { answer: () => Response.json({ error: `request ${++asked}` }, { status: 404 }) });
  assert.deepEqual(updates.map(({ content }) => content.text.split(": ")[0]), [
    '⚠️ Could not save "plan.md"',
    '⚠️ Could not save "other.md"',
    "see plan.md",
    '⚠️ Could not save "plan.md"',
    "see plan.md",
  ]);
});

Deno.test("the editor writes the file where it offers to", unix, async () => {
  const clientCapabilities = { fs: { writeTextFile: true } };
  const written = await turns(1, [[complete([artifact])]], { clientCapabilities });
  const path = `${written.cwd}/articles/plan.md`;
  const asked = written.editor.said.find(({ method }) => method === "fs/write_text_file");
  const { sessionId, ...params } = JSON.parse(JSON.stringify(asked?.params));
  assert.match(sessionId, /^session_/);
  assert.deepEqual(params, { path, content: text });
  assert.equal(written.updates[0].sessionUpdate, "tool_call");

  for (const onWrite of ["refuse", "ignore"] as const) {
    const { updates } = await turns(1, [[complete([artifact])]], { clientCapabilities, onWrite });
    assert.equal(updates[0].sessionUpdate, "tool_call"); // written without it
    assert.equal(Deno.readTextFileSync(updates[0].locations[0].path), text);
  }

  const files = [artifact, { ...artifact, name: "other.md" }];
  const ignored = await turns(1, [[complete(files)]], { clientCapabilities, onWrite: "ignore" });
  assert.equal(ignored.updates.filter(({ title }) => title?.startsWith("Save")).length, 2);
  const requests = ignored.editor.said.filter(({ method }) => method === "fs/write_text_file");
  assert.equal(requests.length, 1, "who did not answer is asked again");
});

Deno.test("two sessions that save the same name at once keep both files", unix, async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const texts = ["first", "other"]; // of the same size
  const editor = startEditor({
    intercept: ({ path }) => {
      const thread = path.match(/thread_(\d)\/artifacts/)?.[1];
      return thread === undefined ? undefined : new Response(texts[Number(thread) - 1] ?? "");
    },
    async *stream({ threadId }) {
      const text = texts[Number(threadId.at(-1)) - 1] ?? "";
      const sha256 = createHash("sha256").update(text).digest("hex");
      yield complete([{ name: "a.md", sha256 }]);
    },
  });
  await editor.request("initialize", { protocolVersion: 1 });
  const sessions = [];
  for (const _ of texts) {
    sessions.push(await editor.request("session/new", { cwd, mcpServers: [] }));
  }
  await Promise.all(
    sessions.map(({ result }) =>
      editor.request("session/prompt", { ...Object(result), prompt: "x" })
    ),
  );
  await editor.end();
  const saved = [...Deno.readDirSync(`${cwd}/articles`)].map(({ name }) => name).toSorted();
  assert.deepEqual(saved, ["a (2).md", "a.md"]);
});

Deno.test(
  "a file that could not be saved is tried again when it is named again",
  unix,
  async () => {
    let tries = 0;
    const answer = () => ++tries === 1 ? new Response(null, { status: 404 }) : new Response(text);
    const event = frame({ event: "artifact", artifact });
    const { updates } = await turns("1.0", [[event, complete([artifact])]], { answer });
    const texts = updates.map(({ content }) => content.text.slice(0, 12));
    assert.deepEqual(texts, ["⚠️ Could not", "💾 Saved to ", "see plan.md"]);
  },
);

Deno.test(
  "files of a session that is loaded go where the editor says that its folder is",
  unix,
  async () => {
    const [before, after, historyFolder] = await Promise.all(
      Array.from({ length: 3 }, async () => await Deno.realPath(await Deno.makeTempDir())),
    );
    const options = {
      historyFolder: historyFolder ?? "",
      intercept: ({ path }: { path: string }) =>
        path.includes("/artifacts/") ? new Response(text) : undefined,
      async *stream() {
        yield complete([artifact]);
      },
    };
    const first = startEditor(options);
    await first.request("initialize", { protocolVersion: 1 });
    const { result } = await first.request("session/new", { cwd: before, mcpServers: [] });
    await first.end();
    const second = startEditor(options);
    await second.request("initialize", { protocolVersion: 1 });
    await second.request("session/load", { ...Object(result), cwd: after, mcpServers: [] });
    await second.request("session/prompt", { ...Object(result), prompt: "x" });
    await second.end();
    assert.equal(Deno.readTextFileSync(`${after}/articles/plan.md`), text);
  },
);

Deno.test("files that never come do not hold the reply beyond the turn's time", async () => {
  const clock = createFakeClock();
  const editor = startEditor({
    clock,
    limits: { turn: 30_000, request: 6_000 },
    intercept: ({ path }) => path.includes("/artifacts/") ? new Promise(() => {}) : undefined,
    async *stream() {
      yield complete(["a", "b", "c"].map((name) => ({ ...artifact, name })));
    },
  });
  const sessionId = await editor.open();
  const started = clock.now();
  const said = await clock.play(editor.request("session/prompt", { sessionId, prompt: "x" }));
  assert.deepEqual(said.result, { stopReason: "end_turn" });
  assert.equal(clock.now() - started, 30_000);
  await editor.end();
  const [first, second, third, reply] = editor.texts(sessionId);
  assert.match(first ?? "", /^⚠️ Could not save "a": .* 6 s/);
  assert.match(second ?? "", /^⚠️ Could not save "b": the turn has had its time/);
  assert.match(third ?? "", /^⚠️ Could not save "c": the turn has had its time/);
  assert.equal(reply, "see plan.md");
});

/** An editor that offers to write files, and never answers a request to; two sessions of it. */
async function startSilentEditor(turn: number) {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const clock: Clock = {
    ...systemClock,
    schedule: (milliseconds, callback) =>
      milliseconds < 1000 ? systemClock.schedule(milliseconds, callback) : () => {},
  };
  const secondFetch = Promise.withResolvers<void>();
  let fetches = 0;
  const editor = startEditor({
    clock,
    limits: { turn },
    intercept({ path }) {
      if (!path.includes("/artifacts/")) return undefined;
      if (++fetches === 2) secondFetch.resolve();
      return new Response(text);
    },
    async *stream({ prompt }) {
      yield complete(prompt === "write" ? [artifact, { ...artifact, name: "b.md" }] : []);
    },
  });
  const clientCapabilities = { fs: { writeTextFile: true } };
  await editor.request("initialize", { protocolVersion: 1, clientCapabilities });
  const [one, other] = await Promise.all(
    [1, 2].map(async () => (await editor.request("session/new", { cwd, mcpServers: [] })).result),
  );
  const prompt = (session: unknown, prompt: string) =>
    editor.request("session/prompt", { ...Object(session), prompt });
  const asked = ({ method }: { method?: string | undefined }) => method === "fs/write_text_file";
  return { editor, cwd, one, other, prompt, asked, fetchedTwice: secondFetch.promise };
}

Deno.test(
  "a turn's time counts while the editor writes a file, which the disk gets then",
  unix,
  async () => {
    const { editor, cwd, one, prompt } = await startSilentEditor(50);
    assert.deepEqual((await prompt(one, "write")).result, { stopReason: "end_turn" });
    await editor.end();
    assert.equal(Deno.readTextFileSync(`${cwd}/articles/plan.md`), text);
  },
);

Deno.test("a turn that is cancelled waits for no other's file", unix, async () => {
  const { editor, one, other, prompt, asked, fetchedTwice } = await startSilentEditor(60_000);
  const first = prompt(one, "write");
  await editor.receive(asked);
  const second = prompt(other, "write");
  await fetchedTwice;
  await editor.send({ method: "session/cancel", params: other });
  assert.deepEqual((await second).result, { stopReason: "cancelled" });
  assert.deepEqual((await prompt(other, "say")).result, { stopReason: "end_turn" });
  await editor.send({ method: "session/cancel", params: one });
  assert.deepEqual((await first).result, { stopReason: "cancelled" });
  await editor.end();
  assert.equal(editor.said.filter(asked).length, 1);
});
