/**
 * Shows a whole conversation over the real wire: starts the bridge as an editor would, against the
 * practice service, and prints each line that goes in (`→`) and comes out (`←`).
 */
import * as v from "valibot";
import { readLines } from "../lib/jsonl.ts";
import { startProcess } from "./process.ts";

const Response = v.object({ id: v.number(), result: v.unknown() });
const Session = v.object({ sessionId: v.string() });

const bridge = startProcess({ args: ["--demo"] });
const input = bridge.stdin.getWriter();
const output = readLines(bridge.stdout);
let id = 0;

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Sends a request and prints what comes, up to its response; returns the result. */
async function ask(what: string, method: string, params: unknown): Promise<unknown> {
  print(`\n# ${what}`);
  const request = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
  print(`→ ${request}`);
  await input.write(new TextEncoder().encode(`${request}\n`));
  while (true) {
    const { done, value } = await output.next();
    if (done || typeof value !== "string") throw new Error("The bridge ended before its answer");
    print(`← ${value}`);
    const response = v.safeParse(Response, JSON.parse(value));
    if (response.success && response.output.id === id) return response.output.result;
  }
}

print("The editor starts the bridge (here with --demo) and talks to it in JSON lines.");
await ask("They shake hands.", "initialize", { protocolVersion: "1.0" });
await ask("Which agents are there?", "agents/list", {});
const session = await ask(
  "A session is a conversation, a thread on the service.",
  "session/new",
  {},
);
const { sessionId } = v.parse(Session, session);
await ask(
  "The first prompt: progress comes while the agent works, then its reply.",
  "session/prompt",
  {
    sessionId,
    prompt: "Hello!",
  },
);
await ask("The next turn of the same conversation.", "session/prompt", {
  sessionId,
  prompt: [{ type: "text", text: "Teach me protocols, please." }],
});
print("\n# The editor closes the bridge's input, and the bridge ends.");
await input.close();
const { code } = await bridge.status;
print(`(exit status ${code})`);
Deno.exit(code);
