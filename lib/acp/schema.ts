import * as z from "zod/mini";
import { lazily } from "../lazily.ts";

// All lazy: `lazily` says why.

/** Params of `initialize` (https://agentclientprotocol.com/protocol/v1/initialization). */
export const InitializeParams = lazily(() =>
  z.object({
    protocolVersion: z.union([
      z.string(),
      z.number().check(z.refine(Number.isInteger, "expected an integer")),
    ]),
    // For the next two schemas: what does not fit them is no capability, and refuses nothing.
    clientCapabilities: z.optional(z.unknown()),
  })
);
export type InitializeParams = z.infer<typeof InitializeParams>;

/** Fits the capabilities of a client that writes files for the agent. */
export const WritesFiles = lazily(() =>
  z.object({ fs: z.object({ writeTextFile: z.literal(true) }) })
);

/** Fits the capabilities of a client with a terminal to log in from. */
export const HasTerminal = lazily(() =>
  z.object({ auth: z.object({ terminal: z.literal(true) }) })
);

/** Params of `authenticate` (https://agentclientprotocol.com/protocol/v1/authentication). */
export const AuthenticateParams = lazily(() => z.object({ methodId: z.string() }));
export type AuthenticateParams = z.infer<typeof AuthenticateParams>;

/** Params of methods that take none, whatever they are. */
export const NoParams = lazily(() => z.unknown());

/** Params of `session/new` (https://agentclientprotocol.com/protocol/v1/session-setup). */
export const NewSessionParams = lazily(() =>
  z.nullish(z.object({
    cwd: z.nullish(z.string()),
    mcpServers: z.nullish(z.array(z.unknown())),
  }))
);

export type NewSessionParams = z.infer<typeof NewSessionParams>;

/** Params of the methods that name a session alone, as `session/cancel` and `session/close`. */
export const SessionParams = lazily(() => z.object({ sessionId: z.string() }));
export type SessionParams = z.infer<typeof SessionParams>;

/** One block of a prompt (https://agentclientprotocol.com/protocol/v1/content). */
export const ContentBlock = lazily(() => {
  const text = z.object({ type: z.literal("text"), text: z.string() });
  const link = z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.nullish(z.string()),
    title: z.nullish(z.string()),
    mimeType: z.nullish(z.string()),
  });
  const resource = z.object({
    type: z.literal("resource"),
    resource: z.union([
      z.object({ uri: z.string(), text: z.string() }),
      z.object({ uri: z.string(), blob: z.string() }),
    ]),
  });
  const isOther = (type: string) => !["text", "resource_link", "resource"].includes(type);
  // Of a kind that the bridge does not take; known for the error that names it.
  const other = z.object({ type: z.string().check(z.refine(isOther, { abort: true })) });
  return z.union([text, link, resource, other]);
});
export type ContentBlock = z.infer<typeof ContentBlock>;

/** Params of `session/prompt` (https://agentclientprotocol.com/protocol/v1/prompt-turn). */
export const PromptParams = lazily(() =>
  z.object({
    sessionId: z.string(),
    prompt: z.union([z.string(), z.array(ContentBlock)]),
  })
);
export type PromptParams = z.infer<typeof PromptParams>;

/** Params of `session/load` and `session/resume`; the session's folder may have moved. */
export const TakeUpParams = lazily(() =>
  z.object({ sessionId: z.string(), cwd: z.nullish(z.string()) })
);
export type TakeUpParams = z.infer<typeof TakeUpParams>;

/** Params of `session/list` (https://agentclientprotocol.com/protocol/v1/session-list). */
export const ListSessionsParams = lazily(() =>
  z.nullish(z.object({ cwd: z.nullish(z.string()), cursor: z.nullish(z.string()) }))
);
export type ListSessionsParams = z.infer<typeof ListSessionsParams>;

/** A piece of what the agent says, the one kind of update of the "1.0" contract, or thinks. */
export const TextChunk = lazily(() =>
  z.object({
    sessionUpdate: z.literal(["agent_message_chunk", "agent_thought_chunk"]),
    messageId: z.string(),
    content: z.object({ type: z.literal("text"), text: z.string() }),
  })
);
export type TextChunk = z.infer<typeof TextChunk>;

/** What the agent did for the user (https://agentclientprotocol.com/protocol/v1/tool-calls). */
export const ToolCall = lazily(() =>
  z.object({
    sessionUpdate: z.literal("tool_call"),
    toolCallId: z.string(),
    title: z.string(),
    kind: z.literal("edit"),
    status: z.literal("completed"),
    locations: z.array(z.object({ path: z.string() })),
    content: z.array(z.object({
      type: z.literal("diff"),
      path: z.string(),
      oldText: z.null(),
      newText: z.string(),
    })),
  })
);
export type ToolCall = z.infer<typeof ToolCall>;
