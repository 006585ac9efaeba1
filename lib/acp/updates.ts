import { BridgeError } from "../errors.ts";
import { type Outcome, type Progress, replyText } from "../service/events.ts";
import type { AgentMessageChunk, ContentBlock } from "./schema.ts";

/**
 * The text of a prompt: its text blocks joined by newlines, its links as Markdown.
 *
 * @throws {BridgeError} `invalidParams` when there is nothing in it, or a block of another kind
 */
export function promptText(prompt: string | ContentBlock[]): string {
  const text = typeof prompt === "string" ? prompt : prompt.map(blockText).join("\n");
  if (text.trim() === "") {
    throw new BridgeError(
      "invalidParams",
      'Invalid params of session/prompt: "prompt" is empty',
    );
  }
  return text.toWellFormed();
}

function blockText(block: ContentBlock): string {
  if ("text" in block) return block.text;
  if ("uri" in block) return `[${block.name ?? block.uri}](${block.uri})`;
  throw new BridgeError(
    "invalidParams",
    `Invalid params of session/prompt: blocks of type "${block.type}" are not supported; send text`,
  );
}

/** The update that tells of a step of the run. */
export function progressUpdate(
  { node, status }: Progress,
  stamp: number,
): AgentMessageChunk {
  return chunk(`progress_${node}_${stamp}`, `🔄 [${node}] ${status}\n`);
}

/** The update that carries the reply. */
export function replyUpdate(
  outcome: Outcome,
  stamp: number,
): AgentMessageChunk {
  return chunk(`result_${stamp}`, replyText(outcome));
}

function chunk(messageId: string, text: string): AgentMessageChunk {
  return {
    sessionUpdate: "agent_message_chunk",
    messageId,
    content: { type: "text", text },
  };
}
