import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import Ajv, { type ValidateFunction } from "ajv/dist/2020.js";
import type { Said } from "./support.ts";

/** For each message kind, the name of its definition in the protocol's JSON schema. */
const RESPONSES: Record<string, string> = {
  "initialize": "InitializeResponse",
  "authenticate": "AuthenticateResponse",
  "logout": "LogoutResponse",
  "session/new": "NewSessionResponse",
  "session/prompt": "PromptResponse",
  "session/list": "ListSessionsResponse",
  "session/load": "LoadSessionResponse",
  "session/resume": "ResumeSessionResponse",
  "session/close": "CloseSessionResponse",
  "session/delete": "DeleteSessionResponse",
};
const PARAMS: Record<string, string> = {
  "session/update": "SessionNotification",
  "fs/write_text_file": "WriteTextFileRequest",
};

/**
 * A copy of a schema in which members that it does not name are errors: at each place where a value
 * stands, what no part of the schema has looked at is refused.
 */
function closed(part: unknown, isValue: boolean): unknown {
  if (Array.isArray(part)) return part.map((each) => closed(each, isValue));
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "properties" || key === "$defs") {
        const members = Object.entries(value).map((
          [name, member],
        ) => [name, closed(member, key === "properties")]);
        return [key, Object.fromEntries(members)];
      }
      if (key === "items") return [key, closed(value, true)];
      return ["allOf", "anyOf", "oneOf"].includes(key) ? [key, closed(value, false)] : [key, value];
    }),
  );
  const isOpen = !["$ref", "allOf", "anyOf", "oneOf", "properties"].some((key) => key in copy);
  return isValue && !isOpen ? { ...copy, unevaluatedProperties: false } : copy;
}

const ajv = new Ajv.default({ strict: false, allErrors: true });
ajv.addSchema(Object(closed({ $defs: schema.$defs }, false)), "acp");
const validators = new Map<string, ValidateFunction>();

function validate(name: string, value: unknown, line: string): void {
  let validator = validators.get(name);
  if (validator === undefined) {
    validator = ajv.compile({ $ref: `acp#/$defs/${name}`, unevaluatedProperties: false });
    validators.set(name, validator);
  }
  if (validator(value)) return;
  throw new Error(`${ajv.errorsText(validator.errors)} in ${line.slice(0, 500)}`);
}

/**
 * Throws when a message is not as ACP v1 has it.
 *
 * @param asked the method of the request that a response answers, if any
 */
export function assertAcp(said: Said, asked: string | undefined, line: string): void {
  if (said.method !== undefined) {
    const name = PARAMS[said.method];
    if (name === undefined) throw new Error(`the bridge must not say ${line}`);
    return validate(name, said.params, line);
  }
  if (said.error !== undefined) return validate("Error", said.error, line);
  const name = RESPONSES[asked ?? ""];
  if (name === undefined) return; // agents/list, which ACP does not have
  if (name !== "InitializeResponse") return validate(name, said.result, line);
  // The contract's own handshake is no ACP v1; and that of ACP v1 has the contract's members, too.
  const { serverInfo: _s, capabilities: _c, ...result } = Object(said.result);
  if (typeof result.protocolVersion === "number") validate(name, result, line);
}
