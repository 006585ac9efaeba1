import assert from "node:assert/strict";
import { readLines } from "../lib/jsonl.ts";
import { startProcess } from "./process.ts";

const PROMPTS = 3000;
/** So little room that the collector sees to it early, and that a leak fills it: the bridge ends. */
const HEAP = "--max-heap-size=24";
const EVENTS = [
  { event: "connected", run_id: "r" },
  { event: "progress", progress: { node: "n", status: "Run complete", timestamp: "t" } },
  { event: "complete", data: { result: { instructorState: { explanation: "x".repeat(20_000) } } } },
];
const STREAM = EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

function answer(request: Request): Response {
  if (request.url.endsWith("/threads")) return Response.json({ thread_id: "t" }, { status: 201 });
  if (request.url.endsWith("/runs")) return Response.json({ run_id: "r" }, { status: 202 });
  return new Response(STREAM, { headers: { "content-type": "text/event-stream" } });
}

/** The resident memory of a process, in KiB. */
function resident(pid: number): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/status`).match(/VmRSS:\s+(\d+)/)?.[1]);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

Deno.test(
  "memory does not grow with the prompts",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    const service = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
    const child = startProcess({
      env: {
        PATBA_HOST: `http://127.0.0.1:${service.addr.port}`,
        PATBA_API_KEY: "key",
        DENO_V8_FLAGS: HEAP, // what nobody needs would otherwise stay for 7,000 prompts
      },
    });
    const writer = child.stdin.getWriter();
    const lines = readLines(child.stdout);
    async function request(id: number, method: string, params: unknown): Promise<string> {
      const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      await writer.write(new TextEncoder().encode(`${text}\n`));
      while (true) {
        const { done, value } = await lines.next();
        if (done) break;
        const line = String(value);
        if (line.startsWith(`{"jsonrpc":"2.0","id":${id},`)) return line;
      }
      throw new Error(`the bridge ended: did ${HEAP} not suffice?`);
    }

    await request(1, "initialize", { protocolVersion: "1.0" });
    const { sessionId } = JSON.parse(await request(2, "session/new", {})).result;
    const sizes: number[] = [];
    for (let i = 0; i < PROMPTS; i++) {
      await request(i + 3, "session/prompt", { sessionId, prompt: `prompt ${i}` });
      sizes.push(resident(child.pid));
    }
    await writer.close();
    for await (const _ of lines);
    assert.equal((await child.status).code, 0);
    await Promise.all([child.stderr.cancel(), service.shutdown()]);

    const tenth = PROMPTS / 10;
    // The runtime itself grows by a twentieth until then, and by a hundredth after.
    const [fifth, last] = [sizes.slice(4 * tenth, 5 * tenth), sizes.slice(-tenth)].map(median);
    assert.ok(fifth && last && last <= fifth * 1.1, `from ${fifth} to ${last} KiB`);
  },
);
