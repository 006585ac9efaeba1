import * as v from "valibot";
import { byName } from "./by_name.ts";

/** Params of `authenticate` (https://agentclientprotocol.com/protocol/v1/authentication). */
export const AuthenticateParams = byName({ methodId: v.string() });
export type AuthenticateParams = v.InferOutput<typeof AuthenticateParams>;

/** Params of methods that take none, whatever they are. */
export const NoParams = v.unknown();

/** Params of `session/new` (https://agentclientprotocol.com/protocol/v1/session-setup). */
export const NewSessionParams = v.nullish(byName({
  cwd: v.nullish(v.string()),
  mcpServers: v.nullish(v.array(v.unknown())),
}));
export type NewSessionParams = v.InferOutput<typeof NewSessionParams>;

/** Params of the methods that name a session alone, as `session/cancel` and `session/close`. */
export const SessionParams = byName({ sessionId: v.string() });
export type SessionParams = v.InferOutput<typeof SessionParams>;

/** One block of a prompt (https://agentclientprotocol.com/protocol/v1/content). */
export const ContentBlock = v.variant("type", [
  v.object({ type: v.literal("text"), text: v.string() }),
  v.object({
    type: v.literal("resource_link"),
    uri: v.string(),
    name: v.nullish(v.string()),
    title: v.nullish(v.string()),
    mimeType: v.nullish(v.string()),
  }),
  v.object({
    type: v.literal("resource"),
    resource: v.union([
      v.object({ uri: v.string(), text: v.string() }),
      v.object({ uri: v.string(), blob: v.string() }),
    ]),
  }),
  // Of a kind that the bridge does not take; known for the error that names it.
  v.object({ type: v.pipe(v.string(), v.notValues(["text", "resource_link", "resource"])) }),
]);
export type ContentBlock = v.InferOutput<typeof ContentBlock>;

/** Params of `session/prompt` (https://agentclientprotocol.com/protocol/v1/prompt-turn). */
export const PromptParams = byName({
  sessionId: v.string(),
  prompt: v.union([v.string(), v.array(ContentBlock)]),
});
export type PromptParams = v.InferOutput<typeof PromptParams>;

/** Params of `session/load` and `session/resume`; the session's folder may have moved. */
export const TakeUpParams = byName({ sessionId: v.string(), cwd: v.nullish(v.string()) });
export type TakeUpParams = v.InferOutput<typeof TakeUpParams>;

/** Params of `session/list` (https://agentclientprotocol.com/protocol/v1/session-list). */
export const ListSessionsParams = v.nullish(byName({
  cwd: v.nullish(v.string()),
  cursor: v.nullish(v.string()),
}));
export type ListSessionsParams = v.InferOutput<typeof ListSessionsParams>;

/** A piece of what the agent says, the one kind of update of the "1.0" contract, or thinks. */
export const TextChunk = v.object({
  sessionUpdate: v.picklist(["agent_message_chunk", "agent_thought_chunk"]),
  messageId: v.string(),
  content: v.object({ type: v.literal("text"), text: v.string() }),
});
export type TextChunk = v.InferOutput<typeof TextChunk>;

/** What the agent did for the user (https://agentclientprotocol.com/protocol/v1/tool-calls). */
export const ToolCall = v.object({
  sessionUpdate: v.literal("tool_call"),
  toolCallId: v.string(),
  title: v.string(),
  kind: v.literal("edit"),
  status: v.literal("completed"),
  locations: v.array(v.object({ path: v.string() })),
  content: v.array(v.object({
    type: v.literal("diff"),
    path: v.string(),
    oldText: v.null(),
    newText: v.string(),
  })),
});
export type ToolCall = v.InferOutput<typeof ToolCall>;
