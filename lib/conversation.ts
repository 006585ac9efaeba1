import type { InitializeRequest, NewSessionRequest } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import { TextChunk, ToolCall } from "./acp/schema.ts";
import { createConnection } from "./connection.ts";
import { BridgeError } from "./errors.ts";
import { outputInto } from "./file_bytes.ts";
import { encodeJson } from "./json.ts";
import { createLineWriter, readLines } from "./jsonl.ts";
import { createLog } from "./log.ts";
import { parse } from "./parse.ts";
import type { StreamlessParts } from "./parts.ts";
import { serve } from "./serve.ts";

/** What the user said in a turn of the past. */
const UserChunk = v.object({
  sessionUpdate: v.literal("user_message_chunk"),
  content: v.object({ type: v.string(), text: v.optional(v.string()) }),
});

/** What a client is told of a session, as far as a conversation needs it. */
export const Update = v.union([TextChunk, ToolCall, UserChunk]);
export type Update = v.InferOutput<typeof Update>;

const Session = v.object({ sessionId: v.string() });
const SessionList = v.object({
  sessions: v.array(v.object({ sessionId: v.string(), title: v.optional(v.string()) })),
});
const PromptResult = v.object({ stopReason: v.string() });
const Notification = v.object({ update: v.unknown() });

/** What is said where there is no session to take up. */
export const NO_SESSION = "There is no earlier session of this folder";

/** A conversation with the agent, over ACP, as an editor would have it. */
export interface Conversation {
  readonly sessionId: string;
  /** Whether the session is one that was taken up. */
  readonly resumed: boolean;
  /** Has a turn; returns its stop reason, or throws what the bridge answered. */
  prompt(text: string): Promise<string>;
  /** Cancels the turn. */
  cancel(): void;
  /** Ends the conversation, and the turn if there is one; resolves when all of it is written. */
  close(): Promise<void>;
}

/** What a conversation is opened with. */
export interface ConversationOptions {
  parts: StreamlessParts;
  cwd: string;
  /** Which session is taken up: the last one of the folder, or one by its id; else a new one. */
  resume?: "last" | { sessionId: string } | undefined;
  /** Whether a new one is begun where there is none to take up. */
  orNew?: boolean;
  /** Whether what was said in it is shown again. */
  replay?: boolean;
  /** Shows what the bridge says of the session. */
  show: (update: Update) => void;
}

/** The bridge has a log of its own; the client's would say everything twice. */
const silent = createLog({ level: "error", write: () => {}, secrets: [], now: Date.now });

/** Starts a bridge in memory, and opens a session with it as an ACP client. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { parts, cwd, show } = options;
  const toBridge = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const fromBridge = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const bridge = serve({
    ...parts,
    input: toBridge.readable,
    output: outputInto(fromBridge.writable),
  });
  const writer = createLineWriter(outputInto(toBridge.writable));
  const connection = createConnection(writer, {
    request: (name) =>
      Promise.reject(new BridgeError("methodNotFound", `Method not found: "${name}"`)),
    notification(name, params) {
      if (name !== "session/update") return;
      const { update } = parse(Notification, params, "invalidParams", name);
      const known = v.safeParse(Update, update);
      if (known.success) show(known.output);
    },
  }, { ...silent, error: parts.log.error });
  const served = connection.serve(readLines(fromBridge.readable));
  const never = new AbortController().signal;
  const ask = async <T extends v.GenericSchema>(method: string, params: unknown, schema: T) =>
    parse(schema, await connection.request(method, params, never), "internal", method);

  /** The last session of the folder in which something was said, and which has a title by that. */
  async function lastSession() {
    const { sessions } = await ask("session/list", { cwd }, SessionList);
    return sessions.find(({ title }) => title !== undefined);
  }

  /** Opens the session; says which one, and whether it was taken up. */
  async function open() {
    await ask("initialize", { protocolVersion: 1 } satisfies InitializeRequest, v.unknown());
    const session = { cwd, mcpServers: [] } satisfies NewSessionRequest;
    const earlier = options.resume === "last" ? await lastSession() : options.resume;
    if (earlier === undefined && options.resume !== undefined && !options.orNew) {
      const none = `${NO_SESSION}: chat without --resume begins one`;
      throw new BridgeError("invalidParams", none);
    }
    if (earlier === undefined) {
      return { ...await ask("session/new", session, Session), resumed: false };
    }
    const method = options.replay ? "session/load" : "session/resume";
    const { sessionId } = earlier;
    await ask(method, { ...session, sessionId }, v.unknown());
    return { sessionId, resumed: true };
  }

  async function close(): Promise<void> {
    bridge.cancelTurns();
    await writer.close();
    await Promise.all([bridge.finished, served]);
    await parts.flushLog();
  }

  const { sessionId, resumed } = await open().catch(async (thrown) => {
    await close();
    throw thrown;
  });
  return {
    sessionId,
    resumed,
    async prompt(text) {
      const prompt = [{ type: "text", text }];
      return (await ask("session/prompt", { sessionId, prompt }, PromptResult)).stopReason;
    },
    cancel() {
      // Where it cannot be sent, nothing answers any more either.
      connection.notify("session/cancel", encodeJson({ sessionId })).catch(() => {});
    },
    close,
  };
}
