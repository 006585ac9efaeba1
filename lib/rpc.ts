import * as v from "valibot";
import { BridgeError, type RpcError } from "./errors.ts";
import { encodeJson, type Json, wrapJson } from "./json.ts";
import { parse } from "./parse.ts";

/**
 * The id of a request, as its JSON text. Text, since ids must come back exactly as they were sent
 * and a number of 64 bits would lose its last digits as a `number`; `7` and `"7"` differ in it.
 */
export type Id = string;

/** The id of an answer to a line whose own id cannot be read (JSON-RPC 2.0 §5). */
export const NO_ID: Id = "null";

/** One message of the other side, by its kind (JSON-RPC 2.0 §4, §5). */
export type Message =
  | { kind: "request"; id: Id; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown }
  | { kind: "response"; id: Id; result: unknown; error: unknown }
  | { kind: "invalid"; id: Id; error: BridgeError };

/** A number as it was written; under a symbol, which nothing on the wire can have. */
const WRITTEN = Symbol("written");
type ExactNumber = { [WRITTEN]: string };
const ExactNumber = v.custom<ExactNumber>((value) => isExact(value));

function isExact(value: unknown): value is ExactNumber {
  return typeof value === "object" && value !== null && WRITTEN in value;
}

/** The id of a request as a value: in a message, and in the params that speak of one. */
export const IdValue = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.finite()), v.null(), ExactNumber]),
  v.transform((id): Id => isExact(id) ? id[WRITTEN] : JSON.stringify(id)),
);

/** What every message is; its members are looked at one by one. */
const Envelope = v.looseObject({});

/** Reads one line; whatever is in it, the outcome is a message and never a throw. */
export function parseMessage(line: string): Message {
  try {
    return readMessage(parseJson(line));
  } catch (thrown) {
    if (!(thrown instanceof BridgeError)) throw thrown;
    return { kind: "invalid", id: NO_ID, error: thrown };
  }
}

function readMessage(value: unknown): Message {
  if (Array.isArray(value)) {
    throw new BridgeError(
      "invalidRequest",
      "Invalid request: batches are not supported",
    );
  }
  const message = parse(Envelope, value, "invalidRequest", "request");
  const id = readId(message);
  const { method, params, result, error: failure } = message;
  if (method === undefined && ("result" in message || "error" in message)) {
    // A response has no answer, whatever its id is; an odd one is none of ours.
    return { kind: "response", id: typeof id === "string" ? id : NO_ID, result, error: failure };
  }
  if (id instanceof BridgeError) return { kind: "invalid", id: NO_ID, error: id };
  if (typeof method === "string") {
    return id === undefined
      ? { kind: "notification", method, params }
      : { kind: "request", id, method, params };
  }
  const error = new BridgeError(
    "invalidRequest",
    'Invalid request: "method": expected string',
  );
  return { kind: "invalid", id: id ?? NO_ID, error };
}

/** The id, nothing where the message has none, or the error where it is no id. */
function readId(message: { id?: unknown }): Id | undefined | BridgeError {
  if (!("id" in message)) return undefined;
  const parsed = v.safeParse(IdValue, message.id);
  return parsed.success ? parsed.output : new BridgeError(
    "invalidRequest",
    'Invalid request: "id": expected string, number or null',
  );
}

/** An id that is a number of another form than a short integer: only then its digits matter. */
const UNUSUAL_ID = /"(?:id|requestId)"\s*:\s*(?!(?:0|-?[1-9]\d{0,14})\s*[,}])[-\d]/;

function parseJson(line: string): unknown {
  try {
    return UNUSUAL_ID.test(line) ? JSON.parse(line, keepDigits) : JSON.parse(line);
  } catch (cause) {
    throw new BridgeError("parse", "Parse error: the line is not JSON", {
      cause,
    });
  }
}

/** A reviver that keeps the digits of ids (https://github.com/tc39/proposal-json-parse-with-source). */
function keepDigits(
  key: string,
  value: unknown,
  context?: { source?: string },
): unknown {
  if (typeof value !== "number" || (key !== "id" && key !== "requestId")) {
    return value;
  }
  return context?.source === undefined
    ? value
    : { [WRITTEN]: context.source } satisfies ExactNumber;
}

/** The line of a response that carries a result. */
export function encodeResult(id: Id, result: unknown): Json {
  return wrapJson(`{"jsonrpc":"2.0","id":${id},"result":`, encodeJson(result), "}");
}

/** The line of a response that carries an error. */
export function encodeError(id: Id, error: RpcError): Json {
  return wrapJson(`{"jsonrpc":"2.0","id":${id},"error":`, encodeJson(error), "}");
}

/** The lines of notifications, whose params are encoded already, for they may go elsewhere, too. */
export function encodeNotifications(method: string, params: readonly Json[]): Json[] {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":`;
  return params.map((each) => wrapJson(head, each, "}"));
}

/** The line of a request of ours. */
export function encodeRequest(id: Id, method: string, params: unknown): Json {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
  return wrapJson(head, encodeJson(params), "}");
}
