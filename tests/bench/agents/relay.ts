// The least that relays: it trusts all that it reads, knows no failure, no cancel and no limit, and
// shows what the bridge shows. What the bridge does beyond this is what its promises cost.

const host = Deno.env.get("PATBA_HOST");
const headers = { "X-API-Key": Deno.env.get("PATBA_API_KEY") ?? "" };
const output = Deno.stdout.writable.getWriter();
const encoder = new TextEncoder();

function write(lines: string): Promise<void> {
  return output.write(encoder.encode(lines));
}

function update(sessionId: string, messageId: string, text: string): string {
  const content = { type: "text", text };
  const update = { sessionUpdate: "agent_message_chunk", messageId, content };
  const params = { sessionId, update };
  return JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }) + "\n";
}

/** Relays one frame; the stamp stands in the message's id. */
function relayed(sessionId: string, data: string, stamp: number): string {
  const event = JSON.parse(data);
  if (event.event === "progress") {
    const { node, status } = event.progress;
    return update(sessionId, `progress_${node}_${stamp}`, `🔄 [${node}] ${status}\n`);
  }
  if (event.event !== "complete") return "";
  return update(sessionId, `result_${stamp}`, event.data.result.instructorState.explanation);
}

async function prompt(sessionId: string, prompt: { text: string }[]): Promise<string> {
  const runs = `${host}/threads/${sessionId}/runs`;
  const started = await fetch(runs, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ agentName: "the-brain", prompt: prompt[0]?.text, wait: false }),
  });
  const { run_id } = await started.json();
  const { body } = await fetch(`${runs}/${run_id}/stream`, { headers });
  const reader = body?.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(64 * 1024);
  let begun = "";
  let stamp = Date.now();
  while (reader !== undefined) {
    const { done, value } = await reader.read(buffer);
    if (done) break;
    const text = decoder.decode(value, { stream: true });
    buffer = new Uint8Array(value.buffer);
    if (!text.includes("\n")) {
      begun += text;
      continue;
    }
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    let batch = "";
    for (const line of lines) {
      if (line.startsWith("data: ")) batch += relayed(sessionId, line.slice(6), stamp++);
    }
    await write(batch);
  }
  return JSON.stringify({ stopReason: "end_turn" });
}

async function resultOf(method: string, params: { sessionId: string; prompt: { text: string }[] }) {
  if (method === "initialize") return JSON.stringify({ protocolVersion: 1, agentCapabilities: {} });
  if (method === "session/prompt") return await prompt(params.sessionId, params.prompt);
  const created = await fetch(`${host}/threads`, { method: "POST", headers });
  return JSON.stringify({ sessionId: (await created.json()).thread_id });
}

async function answer(line: string): Promise<void> {
  const { id, method, params } = JSON.parse(line);
  await write(`{"jsonrpc":"2.0","id":${id},"result":${await resultOf(method, params)}}\n`);
}

let unread = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (unread + text).split("\n");
  unread = lines.pop() ?? "";
  for (const line of lines) answer(line);
}
