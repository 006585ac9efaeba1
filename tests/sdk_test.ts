import {
  client,
  type ClientContext,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type NewSessionResponse,
  type PromptResponse,
  type SessionNotification,
  type Stream,
} from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { frame } from "../lib/service/demo.ts";
import { startProcess } from "./process.ts";
import { type BridgeOptions, startBridge } from "./support.ts";

/** What the official client sees of a bridge. */
interface Seen {
  updates: SessionNotification[];
  written: string[];
}

/** Connects the official client, and lets it do something. */
async function converse<T>(stream: Stream, use: (agent: ClientContext, seen: Seen) => Promise<T>) {
  const seen: Seen = { updates: [], written: [] };
  return await client({ name: "tests" })
    .onNotification(methods.client.session.update, ({ params }) => void seen.updates.push(params))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      seen.written.push(params.content);
      return {};
    })
    .connectWith(stream, (agent) => use(agent, seen));
}

function inMemory(options: BridgeOptions = {}): Stream {
  const { input, output } = startBridge(options);
  return ndJsonStream(input, output);
}

const initialize = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: true } },
  clientInfo: { name: "tests", version: "1" },
};
const cwd = "/nonexistent";

/** A whole conversation, as an editor would have it. */
async function conversation(agent: ClientContext, seen: Seen): Promise<void> {
  const hello = await agent.request<InitializeResponse>(methods.agent.initialize, initialize);
  assert.equal(hello.protocolVersion, 1);
  assert.deepEqual(hello.agentCapabilities?.sessionCapabilities, {
    list: {},
    resume: {},
    close: {},
    delete: {},
  });
  const [method] = hello.authMethods ?? [];
  await agent.request(methods.agent.authenticate, { methodId: method?.id ?? "" });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  const prompt = [{ type: "text" as const, text: "Teach me streams" }];
  const { stopReason } = await agent.request<PromptResponse>(methods.agent.session.prompt, {
    sessionId,
    prompt,
  });
  assert.equal(stopReason, "end_turn");
  const kinds = seen.updates.map(({ update }) => update.sessionUpdate);
  assert.deepEqual(kinds, ["session_info_update", ...Array(3).fill("agent_message_chunk")]);

  const cancelled = agent.request(methods.agent.session.prompt, { sessionId, prompt });
  await agent.notify(methods.agent.session.cancel, { sessionId });
  assert.deepEqual(await cancelled, { stopReason: "cancelled" });
  await assert.rejects(
    agent.request(methods.agent.session.prompt, { sessionId: "session_none", prompt }),
    { code: -32602 },
  );
  await assert.rejects(
    agent.request(methods.agent.session.setMode, { sessionId, modeId: "x" }),
    { code: -32601 },
  );
  await agent.request(methods.agent.session.close, { sessionId });
  await agent.request(methods.agent.session.delete, { sessionId });
  await agent.request(methods.agent.logout, {});
}

Deno.test("the official client converses with the bridge in memory", async () => {
  await converse(inMemory(), conversation);
});

Deno.test("the official client converses with the bridge as a process", async () => {
  const child = startProcess({ args: ["--demo"] });
  await converse(ndJsonStream(child.stdin, child.stdout), conversation);
  await child.stdin.close().catch(() => {});
  assert.equal(await new Response(child.stderr).text(), "");
  assert.equal((await child.status).code, 0);
});

Deno.test("the official client lists, loads and resumes sessions", async () => {
  const historyFolder = await Deno.makeTempDir();
  const prompt = [{ type: "text" as const, text: "Hello" }];
  const sessionId = await converse(inMemory({ historyFolder }), async (agent) => {
    await agent.request(methods.agent.initialize, initialize);
    const session = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await agent.request(methods.agent.session.prompt, { sessionId: session.sessionId, prompt });
    await agent.request(methods.agent.session.list, {}); // what was said is written by then
    return session.sessionId;
  });
  await converse(inMemory({ historyFolder }), async (agent, seen) => {
    await agent.request(methods.agent.initialize, initialize);
    const { sessions } = await agent.request(methods.agent.session.list, {});
    assert.deepEqual(sessions.map((each) => [each.sessionId, each.title]), [[sessionId, "Hello"]]);
    await agent.request(methods.agent.session.resume, { sessionId, cwd });
    assert.equal(seen.updates.length, 0);
    await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    const kinds = seen.updates.map(({ update }) => update.sessionUpdate);
    assert.deepEqual(kinds, ["user_message_chunk", ...Array(3).fill("agent_message_chunk")]);
  });
});

Deno.test("the official client writes the agent's files", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const text = "# Plan\n";
  const artifact = { name: "plan.md", sha256: createHash("sha256").update(text).digest("hex") };
  const stream = inMemory({
    intercept: ({ path }) => path.includes("/artifacts/") ? new Response(text) : undefined,
    async *stream() {
      yield frame({ event: "artifact", artifact });
      yield frame({ event: "complete", data: {} });
    },
  });
  await converse(stream, async (agent, seen) => {
    await agent.request(methods.agent.initialize, initialize);
    const params = { cwd: folder, mcpServers: [] };
    const { sessionId } = await agent.request<NewSessionResponse>(
      methods.agent.session.new,
      params,
    );
    const prompt = [{ type: "text" as const, text: "Write" }];
    await agent.request(methods.agent.session.prompt, { sessionId, prompt });
    assert.deepEqual(seen.written, [text]);
    const [, call] = seen.updates.map(({ update }) => update);
    assert.equal(call?.sessionUpdate, "tool_call");
  });
});
