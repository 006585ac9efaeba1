import * as v from "valibot";
import { systemClock, within } from "../../lib/clock.ts";
import type { Script } from "./script.ts";

/** An agent at work, with the bench as its editor. */
export interface Agent {
  readonly pid: number;
  /** When it was spawned, as `performance.now()` says it. */
  readonly spawned: number;
  /** How many notifications it has sent. */
  readonly notified: number;
  /** Is given each notification's line; reading it is the agent's time, too. */
  onNotification: ((line: string) => void) | undefined;
  /** Makes the first call. */
  initialize(): Promise<void>;
  /** Starts a session; returns its id. */
  open(): Promise<string>;
  /** Has a turn in a session. */
  prompt(sessionId: string, script: Script): Promise<void>;
  /** Ends its input, and waits for it to end; it is killed where it does not. */
  end(): Promise<void>;
}

/** What all contestants find around them. */
export interface Surroundings {
  /** The address of the stand-in service. */
  host: string;
  /** A folder for what is temporary: compiled code, which is kept by name, and the history. */
  temporary: string;
}

const Answer = v.object({
  id: v.number(),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
});
const NewSession = v.object({ sessionId: v.string() });

/** What a line is long from, in characters: a reply's, for no answer is so long. */
const KEPT = 64 * 1024;

/** How long an answer may take, and an agent without input to end, in milliseconds. */
const MAX_TURN = 120_000;
const MAX_END = 2_000;

/**
 * Starts an agent with nothing of this process's environment but the way to programs. Its stderr is
 * the bench's, for an agent that fails should say why.
 */
export function startAgent([program = "", ...args]: readonly string[], surroundings: Surroundings) {
  const spawned = performance.now();
  const child = spawn([program, ...args], surroundings);
  const input = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;

  const agent: Agent & { notified: number } = {
    pid: child.pid,
    spawned,
    notified: 0,
    onNotification: undefined,
    async initialize() {
      await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    },
    async open() {
      const result = await request("session/new", { cwd: Deno.cwd(), mcpServers: [] });
      return v.parse(NewSession, result).sessionId;
    },
    async prompt(sessionId, script) {
      const text = JSON.stringify(script);
      await request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    },
    async end() {
      await input.close().catch(() => {}); // it may have gone by itself
      const late = () => new Error("it does not end");
      await within(systemClock, MAX_END, child.status, late).catch(() => child.kill("SIGKILL"));
      await child.status;
      await read;
    },
  };

  async function request(method: string, params: unknown): Promise<unknown> {
    const id = ++lastId;
    const answered = Promise.withResolvers<unknown>();
    asked.set(id, answered);
    await input.write(encoder.encode(
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`,
    ));
    const late = () => new Error(`"${program}" does not answer ${method}`);
    return await within(systemClock, MAX_TURN, answered.promise, late);
  }

  function receive(line: string): void {
    if (isNotification(line)) {
      agent.notified++;
      agent.onNotification?.(line);
      return;
    }
    const { id, result, error } = v.parse(Answer, JSON.parse(line));
    if (error === undefined) asked.get(id)?.resolve(result);
    else asked.get(id)?.reject(new Error(`"${program}" answers: ${error.message}`));
    asked.delete(id);
  }

  async function readAll(): Promise<void> {
    await eachLine(child.stdout, receive);
    for (const { reject } of asked.values()) reject(new Error(`"${program}" has ended`));
  }

  const read = readAll();
  return agent;
}

/** As the agents here write them; others' are told by their members. */
function isNotification(line: string): boolean {
  if (line.startsWith('{"jsonrpc":"2.0","method":')) return true;
  if (line.length > KEPT) return true;
  if (line.startsWith('{"jsonrpc":"2.0","id":')) return false;
  return !v.is(Answer, JSON.parse(line));
}

/**
 * Calls back for each line, at so little cost that it is the agent which is measured: to hold a
 * large reply takes longer, for each of its bytes, than a small one, whoever sent it. So of a long
 * line there is only the beginning.
 */
async function eachLine(
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  receive: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end; (end = text.indexOf("\n", start)) >= 0; start = end + 1) {
      receive(begun.length > KEPT ? begun : begun + text.slice(start, end));
      begun = "";
    }
    if (begun.length <= KEPT) begun += text.slice(start);
  }
}

/** Runs a program without input to its end; returns the milliseconds from its spawn. */
export async function wholeRun(
  [program = "", ...args]: readonly string[],
  surroundings: Surroundings,
) {
  const spawned = performance.now();
  const child = spawn([program, ...args], surroundings);
  await child.status;
  const took = performance.now() - spawned;
  await child.stdin.close().catch(() => {}); // nobody reads it any more
  await child.stdout.cancel();
  return took;
}

/** Starts a program with nothing of this process's environment but the way to programs. */
function spawn([program = "", ...args]: readonly string[], surroundings: Surroundings) {
  return new Deno.Command(program, {
    args,
    env: environment(surroundings),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

function environment({ host, temporary }: Surroundings): Record<string, string> {
  const kept = ["PATH", "HOME", "SystemRoot"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    TMP: temporary,
    // The bridge's history: the user's own would be cleared away for thousands of practice sessions.
    XDG_STATE_HOME: temporary,
    LOCALAPPDATA: temporary,
    PATBA_HOST: host,
    PATBA_API_KEY: "key-of-the-bench",
  };
}
