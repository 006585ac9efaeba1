import process from "node:process";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
const { PATBA_HOST: host, PATBA_API_KEY: key } = process.env;
const headers = { "X-API-Key": key, "Content-Type": "application/json" };
const ask = async (path, init) => await fetch(host + path, { headers, ...init });
const post = async (path, body) => (await ask(path, { method: "POST", body })).json();
const linesOf = (input) => createInterface({ input, crlfDelay: Infinity });
const say = (rest) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...rest })}\n`);
async function prompt({ sessionId, prompt: [{ text: prompt }] }) {
  const runs = `/threads/${sessionId}/runs`;
  const { run_id } = await post(runs, JSON.stringify({ agentName: "the-brain", prompt }));
  for await (
    const line of linesOf(Readable.fromWeb((await ask(`${runs}/${run_id}/stream`)).body))
  ) {
    const { progress, data } = line === "" ? {} : JSON.parse(line.slice(6));
    const text = progress?.status ?? data?.result.instructorState.explanation;
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    if (text !== undefined) say({ method: "session/update", params: { sessionId, update } });
  }
  return { stopReason: "end_turn" };
}
async function answer({ id, method, params }) {
  if (method === "initialize") say({ id, result: { protocolVersion: 1 } });
  else if (method === "session/prompt") say({ id, result: await prompt(params) });
  else say({ id, result: { sessionId: (await post("/threads")).thread_id } });
}
for await (const line of linesOf(process.stdin)) answer(JSON.parse(line));
