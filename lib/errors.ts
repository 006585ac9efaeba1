import { oneLine } from "./one_line.ts";

/**
 * The JSON-RPC and ACP codes the bridge answers with, keyed by what went wrong
 * (JSON-RPC 2.0 §5.1; https://agentclientprotocol.com/protocol/v1/schema, `ErrorCode`).
 */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  authRequired: -32000,
  requestCancelled: -32800,
} as const;

/** What went wrong, as a key of {@linkcode CODES}. */
export type Fault = keyof typeof CODES;

/** The `error` member of a JSON-RPC response (§5.1). */
export interface RpcError {
  code: number;
  message: string;
}

/** The longest message, in characters. */
const MAX_MESSAGE = 300;

/**
 * A failure whose message the editor's user should read: what was tried, what came back, what to
 * do, without a secret. It is made to fit one line of 300 characters. Anything else that is thrown is a bug.
 */
export class BridgeError extends Error {
  override readonly name = "BridgeError";

  constructor(readonly fault: Fault, message: string, options?: ErrorOptions) {
    super(oneLine(message, MAX_MESSAGE), options);
  }
}

/** Renders anything thrown as a response's `error`; a bug keeps its details off the wire. */
export function toRpcError(thrown: unknown): RpcError {
  return thrown instanceof BridgeError ? { code: CODES[thrown.fault], message: thrown.message } : {
    code: CODES.internal,
    message: "Internal error in the bridge: its stderr has the details",
  };
}
