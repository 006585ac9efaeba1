import assert from "node:assert/strict";
import { frame } from "../lib/service/demo.ts";
import { startEditor } from "./support.ts";

const ended = { stopReason: "end_turn" };

/** A stream of so many progress events, and the reply. */
async function* eventful(prompt: string, events: number, reply = "done") {
  for (let i = 0; i < events; i++) {
    yield frame({
      event: "progress",
      progress: { node: prompt, status: String(i), timestamp: "t" },
    });
  }
  yield frame({ event: "complete", data: { result: { instructorState: { explanation: reply } } } });
}

function expected(prompt: string, events: number): string[] {
  return [...Array.from({ length: events }, (_, i) => `🔄 [${prompt}] ${i}\n`), "done"];
}

Deno.test("20,000 events on one session arrive, each once and in order", async () => {
  const editor = startEditor({ stream: ({ prompt }) => eventful(prompt, 20_000) });
  const sessionId = await editor.open();
  const { result } = await editor.request("session/prompt", { sessionId, prompt: "x" });
  await editor.end();
  assert.deepEqual(result, ended);
  assert.deepEqual(editor.texts(sessionId), expected("x", 20_000));
});

Deno.test("100 events on each of 200 sessions at once arrive at their own session", async () => {
  const editor = startEditor({ stream: ({ prompt }) => eventful(prompt, 100) });
  const sessions = await Promise.all(Array.from({ length: 200 }, () => editor.open()));
  await Promise.all(
    sessions.map((sessionId) => editor.request("session/prompt", { sessionId, prompt: sessionId })),
  );
  await editor.end();
  for (const session of sessions) assert.deepEqual(editor.texts(session), expected(session, 100));
});

Deno.test("a prompt of 20 MB and a reply of 10 MB arrive as they were", async () => {
  const reply = "é🧠\u2028\u0000\u001b[31m\\ud83e\n".repeat(10 * 1024 * 1024 / 20);
  const prompt = 'ü\u2029\t"\\'.repeat(20 * 1024 * 1024 / 8);
  let received = "";
  const editor = startEditor({
    limits: { maxPrompt: 0 },
    intercept({ path, body }) {
      if (path.endsWith("/stream")) return new Response(body);
      if (!path.endsWith("/runs")) return undefined;
      received = JSON.parse(body).prompt;
      return Response.json({ run_id: "r" }, { status: 202 });
    },
  });
  const sessionId = await editor.open();
  await editor.request("session/prompt", { sessionId, prompt });
  assert.ok(received === prompt);
  await editor.end();

  const second = startEditor({ stream: ({ prompt }) => eventful(prompt, 1, reply) });
  const params = { sessionId: await second.open(), prompt: "x" };
  assert.deepEqual((await second.request("session/prompt", params)).result, ended);
  assert.ok(second.texts(params.sessionId).at(-1) === reply);
  assert.ok(second.lines.every((line) => !/[\u2028\u2029\u0085]/.test(line)));
  await second.end();
});
