import { env, stdin, stdout } from "node:process";
import { createInterface as lines } from "node:readline";
import { Readable } from "node:stream";
const headers = { "X-API-Key": env.PATBA_API_KEY, "Content-Type": "application/json" };
const ask = (path, init) => fetch(env.PATBA_HOST + path, { headers, ...init });
const post = async (path, body) => (await ask(path, { method: "POST", body })).json();
const say = (rest) => stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...rest })}\n`);
const results = {
  initialize: () => ({ protocolVersion: 1 }),
  "session/new": async () => ({ sessionId: (await post("/threads")).thread_id }),
  async "session/prompt"({ sessionId, prompt: [{ text: prompt }] }) {
    const runs = `/threads/${sessionId}/runs`;
    const { run_id } = await post(runs, JSON.stringify({ agentName: "the-brain", prompt }));
    const { body } = await ask(`${runs}/${run_id}/stream`);
    for await (const line of lines({ input: Readable.fromWeb(body) })) {
      const { progress, data } = JSON.parse(line.slice(6) || "{}");
      const text = progress?.status ?? data?.result.instructorState.explanation;
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
      if (text) say({ method: "session/update", params: { sessionId, update } });
    }
    return { stopReason: "end_turn" };
  },
};
const answer = async ({ id, method, params }) => say({ id, result: await results[method](params) });
for await (const line of lines({ input: stdin })) answer(JSON.parse(line));
