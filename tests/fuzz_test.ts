import assert from "node:assert/strict";
import * as fc from "fast-check";
import { frame } from "../lib/service/demo.ts";
import { createFakeClock } from "./fake_clock.ts";
import { startEditor } from "./support.ts";

const LINES = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1.0"}}',
  '{"jsonrpc":"2.0","id":"two","method":"agents/list"}',
  '{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}',
  '{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"é"}]}}',
  '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}',
  '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":3}}',
  '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
];

/** A valid line, some of whose characters are left out, doubled or replaced. */
const Mutated = fc.tuple(
  fc.constantFrom(...LINES),
  fc.array(
    fc.tuple(fc.nat(), fc.constantFrom("", "x", '"', "{", "}", "[", "\\", "9", "\0", "\ud800")),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
).map(([line, changes]) =>
  changes.reduce((text, [where, what]) => {
    const at = where % text.length;
    return text.slice(0, at) + what + text.slice(at + 1);
  }, line)
);

const Line = fc.oneof(
  Mutated,
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.jsonValue().map((value) =>
    JSON.stringify({ jsonrpc: "2.0", id: value, method: "agents/list" })
  ),
  fc.jsonValue().map((params) => JSON.stringify({ id: 5, method: "session/prompt", params })),
).map((text) => text.replaceAll("\n", " ").toWellFormed());

/** The id that stands in a line, as JSON, if any. */
function idOf(line: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(line)?.id);
  } catch {
    return undefined;
  }
}

Deno.test("no line, whatever it is, ends the bridge or gets an answer to another's id", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Line, { maxLength: 10 }), async (lines) => {
      const editor = startEditor();
      for (const line of lines) await editor.send(line);
      await editor.request("agents/list");
      await editor.end();
      const sent = new Set(["null", '"request 1"', ...lines.map(idOf)]);
      for (const { id, method } of editor.said) {
        if (method === undefined) assert.ok(sent.has(JSON.stringify(id)), `${id} was not sent`);
      }
      assert.ok(editor.said.every((said) => said.error?.code !== -32603), "no bug");
      assert.deepEqual(editor.logged, []);
    }),
    { numRuns: 500 },
  );
});

Deno.test("no bytes, whatever they are, end the bridge", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 })), async (chunks) => {
      const editor = startEditor();
      for (const chunk of chunks) await editor.sendBytes(new Uint8Array(chunk));
      await editor.send("");
      await editor.request("agents/list");
      await editor.end();
      assert.deepEqual(editor.logged, []);
    }),
    { numRuns: 300 },
  );
});

Deno.test("no bytes in a stream, whatever they are, keep the reply from the editor", async () => {
  const reply = { result: { instructorState: { explanation: "done" } } };
  const Junk = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => new Uint8Array(bytes)),
    fc.jsonValue().map((data) => frame({ event: "progress", progress: data })),
    fc.json().map((json) => `data: ${json}\n\n`),
    fc.constantFrom("data: ", "\r", "\n", "id: 1\n", "event: complete\n", ":\n", "retry: 1\n\n"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(Junk), async (junk) => {
      const clock = createFakeClock();
      const editor = startEditor({
        clock,
        async *stream() {
          yield* junk;
          yield "\n\n";
          yield frame({ event: "complete", data: reply });
        },
      });
      const sessionId = await editor.open();
      const params = { sessionId, prompt: "x" };
      const { result } = await clock.play(editor.request("session/prompt", params));
      await editor.end();
      assert.deepEqual(result, { stopReason: "end_turn" });
      assert.equal(editor.texts(sessionId).at(-1), "done");
    }),
    { numRuns: 500 },
  );
});
