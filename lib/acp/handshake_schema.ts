import * as v from "valibot";
import { byName } from "./by_name.ts";

/** Params of `initialize` (https://agentclientprotocol.com/protocol/v1/initialization). */
export const InitializeParams = byName({
  protocolVersion: v.union([v.string(), v.pipe(v.number(), v.integer("expected an integer"))]),
  // For the next two schemas: what does not fit them is no capability, and refuses nothing.
  clientCapabilities: v.optional(v.unknown()),
});
export type InitializeParams = v.InferOutput<typeof InitializeParams>;

/** Fits the capabilities of a client that writes files for the agent. */
export const WritesFiles = v.object({ fs: v.object({ writeTextFile: v.literal(true) }) });

/** Fits the capabilities of a client with a terminal to log in from. */
export const HasTerminal = v.object({ auth: v.object({ terminal: v.literal(true) }) });
