import type { InitializeResponse } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { Agent } from "./agent.ts";
import { authMethods } from "./authenticate.ts";
import { type InitializeParams, WritesFiles } from "./handshake_schema.ts";

/** The server that the "1.0" contract names; its version is the contract's, not the program's. */
const SERVER_INFO = { name: "patb-cli-bridge", version: "1.0.0" };
const CAPABILITIES = { agents: true };

/** The contract's members stand in both handshakes; the "1.0" one has no others. */
type InitializeResult =
  & { serverInfo: typeof SERVER_INFO; capabilities: typeof CAPABILITIES }
  & (InitializeResponse | { protocolVersion: string });

/**
 * `initialize`: a string asks for the "1.0" contract and is echoed, an integer for ACP v1
 * (https://agentclientprotocol.com/protocol/v1/initialization).
 */
export function initialize(agent: Agent, params: InitializeParams): InitializeResult {
  const { protocolVersion } = params;
  if (typeof protocolVersion === "string") {
    agent.handshake = "1.0";
    agent.editorWrites = false;
    return {
      protocolVersion,
      serverInfo: SERVER_INFO,
      capabilities: CAPABILITIES,
    };
  }
  agent.handshake = "v1";
  agent.editorWrites = v.is(WritesFiles, params.clientCapabilities);
  return {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: {
        image: false,
        audio: false,
        embeddedContext: true,
      },
      mcpCapabilities: { http: false, sse: false },
      // Objects, and never booleans, which some clients refuse.
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      auth: { logout: {} },
    },
    agentInfo: {
      name: "patb-cli-bridge",
      title: "The Brain",
      version: agent.version,
    },
    authMethods: authMethods(params),
    serverInfo: SERVER_INFO,
    capabilities: CAPABILITIES,
  };
}
