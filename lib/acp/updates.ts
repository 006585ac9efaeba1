import type { SessionUpdate } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import { BridgeError } from "../errors.ts";
import type { Entry } from "../session_record.ts";
import { encodeJson, encodeText, type Json, wrapJson } from "../json.ts";
import { oneLine } from "../one_line.ts";
import { type Artifact, replyText, type RunEvent } from "../service/events.ts";
import { ContentBlock, TextChunk, ToolCall } from "./schema.ts";

/** The longest title, and the longest reason, in characters. */
const MAX_TITLE = 80;
const MAX_WHY = 200;

/**
 * The text of a prompt: its blocks in their order, joined by newlines. Links stand as Markdown, an
 * embedded resource as a fenced block under its URI.
 *
 * @throws {BridgeError} `invalidParams` when there is nothing in it, or a block of another kind
 */
export function promptText(prompt: string | ContentBlock[]): string {
  const text = typeof prompt === "string" ? prompt : prompt.map(blockText).join("\n");
  if (text.trim() === "") {
    throw new BridgeError("invalidParams", 'Invalid params of session/prompt: "prompt" is empty');
  }
  return text.toWellFormed();
}

function blockText(block: ContentBlock): string {
  if ("text" in block) return block.text;
  if ("uri" in block) return linkText(block.name ?? block.uri, block.uri);
  if (!("resource" in block)) throw unsupported(block.type);
  const { resource } = block;
  if (!("text" in resource)) throw unsupported("resource, with a blob,");
  let longest = 2;
  for (const [ticks] of resource.text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  const end = resource.text.endsWith("\n") ? "" : "\n";
  const uri = resource.uri.replace(LINE_ENDS, encodeURIComponent);
  return `${uri}\n${fence}\n${resource.text}${end}${fence}`;
}

const LINE_ENDS = /[\r\n]+/g;

/** A Markdown link (https://spec.commonmark.org/0.31.2/#links). */
function linkText(name: string, uri: string): string {
  const encoded = uri.replace(LINE_ENDS, encodeURIComponent);
  const target = /[\s()<>]/.test(encoded)
    ? `<${encoded.replace(/[<>]/g, encodeURIComponent)}>`
    : encoded;
  const label = name.replace(LINE_ENDS, " ").replace(/[[\]\\]/g, "\\$&");
  return `[${label}](${target})`;
}

function unsupported(type: string): BridgeError {
  return new BridgeError(
    "invalidParams",
    `Invalid params of session/prompt: blocks of type ${type} are not supported; send text`,
  );
}

/**
 * What stands before progress, 🔄, as JSON may escape it: what is written in ASCII alone is encoded
 * many times as fast, which is 15 % of the time of 20,000 events.
 */
const PROGRESS_ICON = "\\ud83d\\udd04";

/**
 * The update that shows a run's event, if anything does.
 *
 * @param stamp gives the time for the message's id, in milliseconds
 * @param progress what kind of update tells of progress, if any
 */
export function toUpdate(
  event: RunEvent,
  stamp: () => number,
  progress: TextChunk["sessionUpdate"] | undefined,
): Json | undefined {
  if (event.event === "progress" && progress !== undefined) {
    const { node, status } = event.progress;
    const said = encodeJson(`[${node}] ${status}\n`);
    const text = `"${PROGRESS_ICON} ${said.slice(1)}`;
    return encodeChunk(progress, `progress_${node}_${stamp()}`, text);
  }
  if (event.event === "complete") {
    const reply = event.longReply ?? replyText(event.data);
    return encodeChunk("agent_message_chunk", `result_${stamp()}`, encodeText(reply));
  }
}

/** The JSON text of an update that is text; the text comes encoded, for it may be long. */
function encodeChunk(
  sessionUpdate: TextChunk["sessionUpdate"],
  messageId: string,
  text: Json,
): Json {
  const id = encodeJson(messageId);
  const head =
    `{"sessionUpdate":"${sessionUpdate}","messageId":${id},"content":{"type":"text","text":`;
  return wrapJson(head, text, "}}");
}

/** The params of a `session/update` each (https://agentclientprotocol.com/protocol/v1/prompt-turn). */
export function updateParams(sessionId: string, ...updates: Json[]): Json[] {
  const head = `{"sessionId":${JSON.stringify(sessionId)},"update":`;
  return updates.map((update) => wrapJson(head, update, "}"));
}

/** A file that the agent wrote. */
export type AgentFile = Artifact;

/** The files that an event tells of. */
export function filesOf(event: RunEvent): AgentFile[] {
  const files = event.event === "artifact"
    ? [event.artifact]
    : event.event === "complete"
    ? event.data.artifacts ?? []
    : [];
  return files.filter((file) => file !== null);
}

/** What tells of a file that was saved: a tool call, or, where those are not known, a text. */
export function savedUpdate(
  name: string,
  path: string,
  newText: string,
  stamp: number,
  handshake: "1.0" | "v1" | undefined,
): TextChunk | ToolCall {
  const call: ToolCall = {
    sessionUpdate: "tool_call",
    toolCallId: `artifact_${stamp}`,
    title: `Save ${oneLine(name, MAX_TITLE)}`,
    kind: "edit",
    status: "completed",
    locations: [{ path }],
    content: [{ type: "diff", path, oldText: null, newText }],
  };
  return handshake === "v1" ? call : savedText(call);
}

/** A saved file for those who know no tool calls. */
function savedText({ toolCallId, locations }: ToolCall): TextChunk {
  const paths = locations.map(({ path }) => path).join(", ");
  return chunk("agent_message_chunk", toolCallId, `💾 Saved to ${paths}\n`);
}

/** What tells of a file that could not be saved. */
export function notSavedUpdate(name: string, why: string, stamp: number): TextChunk {
  const text = `⚠️ Could not save "${oneLine(name, MAX_TITLE)}": ${oneLine(why, MAX_WHY)}\n`;
  return chunk("agent_message_chunk", `artifact_${stamp}`, text);
}

/** Whether an event is the last of its run, whose update is the reply. */
export function isLast({ event }: RunEvent): boolean {
  return event === "complete";
}

/** What is said is what the protocol's own types allow; this fails to compile where it is not. */
export type Said = Extends<TextChunk | ToolCall, SessionUpdate>;
type Extends<T extends U, U> = T;

function chunk(
  sessionUpdate: TextChunk["sessionUpdate"],
  messageId: string,
  text: string,
): TextChunk {
  return { sessionUpdate, messageId, content: { type: "text", text } };
}

/** The title that a session gets from its first prompt: the first line that has something on it. */
export function titleOf(text: string): string {
  const [line = ""] = text.trim().split(/[\r\n]/);
  return oneLine(line, MAX_TITLE);
}

/** The blocks of a prompt as they are remembered. */
export function promptBlocks(prompt: string | ContentBlock[]): ContentBlock[] {
  return typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
}

const Stamped = v.union([
  v.pipe(v.object({ messageId: v.string() }), v.transform((each) => each.messageId)),
  v.pipe(v.object({ toolCallId: v.string() }), v.transform((each) => each.toolCallId)),
]);

/** The latest time stamp in the ids of a session's messages; 0 where there are none. */
export function lastStampOf(entries: readonly Entry[]): number {
  let last = 0;
  for (const entry of entries) {
    const stamped = v.safeParse(Stamped, entry.kind === "update" ? entry.update : entry);
    const id = stamped.success ? stamped.output : undefined;
    last = Math.max(last, Number(id?.match(/_(\d{1,15})$/)?.[1] ?? 0));
  }
  return last;
}

const Remembered = v.union([TextChunk, ToolCall]);

/** What shows a session of the past again; only ACP v1 knows what is not said by the agent. */
export function* replayUpdates(entries: readonly Entry[], handshake: "1.0" | "v1" | undefined) {
  for (const entry of entries) {
    if (entry.kind === "update") {
      const update = v.safeParse(Remembered, entry.update);
      if (!update.success) continue;
      const { output } = update;
      if (handshake === "v1" || output.sessionUpdate === "agent_message_chunk") yield output;
      else if (output.sessionUpdate === "tool_call") yield savedText(output);
    }
    if (entry.kind !== "prompt" || handshake !== "v1") continue;
    for (const block of entry.blocks) {
      const content = v.safeParse(ContentBlock, block);
      if (!content.success) continue;
      const { messageId } = entry;
      yield { sessionUpdate: "user_message_chunk", messageId, content: content.output } as const;
    }
  }
}
