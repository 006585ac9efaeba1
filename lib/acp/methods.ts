import type * as v from "valibot";
import type { Call, Dispatch } from "../connection.ts";
import { BridgeError } from "../errors.ts";
import { parse } from "../parse.ts";
import type { Agent } from "./agent.ts";
import { listAgents } from "./agents.ts";
import { authenticate, logout } from "./authenticate.ts";
import { initialize } from "./initialize.ts";
import { listSessions } from "./list_sessions.ts";
import { prompt } from "./prompt.ts";
import {
  AuthenticateParams,
  InitializeParams,
  ListSessionsParams,
  NewSessionParams,
  NoParams,
  PromptParams,
  SessionParams,
  TakeUpParams,
} from "./schema.ts";
import {
  cancelSession,
  closeSession,
  deleteSession,
  loadSession,
  newSession,
  resumeSession,
} from "./sessions.ts";

type Method<Rest extends unknown[]> = (
  agent: Agent,
  params: unknown,
  ...rest: Rest
) => unknown;

/** Joins a handler with the schema that its params pass first. */
function method<T extends v.GenericSchema, Rest extends unknown[]>(
  name: string,
  schema: T,
  handler: (agent: Agent, params: v.InferOutput<T>, ...rest: Rest) => unknown,
): [string, Method<Rest>] {
  const what = `params of ${name}`;
  return [
    name,
    (agent, params, ...rest) =>
      handler(agent, parse(schema, params, "invalidParams", what), ...rest),
  ];
}

/** The requests that are served. */
const REQUESTS = new Map<string, Method<[Call]>>([
  method("initialize", InitializeParams, initialize),
  method("authenticate", AuthenticateParams, authenticate),
  method("logout", NoParams, logout),
  method("agents/list", NoParams, listAgents),
  method("session/new", NewSessionParams, newSession),
  method("session/prompt", PromptParams, prompt),
  method("session/list", ListSessionsParams, listSessions),
  method("session/load", TakeUpParams, loadSession),
  method("session/resume", TakeUpParams, resumeSession),
  method("session/close", SessionParams, closeSession),
  method("session/delete", SessionParams, deleteSession),
]);

/** The notifications that are taken. */
const NOTIFICATIONS = new Map<string, Method<[]>>([
  method("session/cancel", SessionParams, cancelSession),
]);

/** Serves the agent's methods. */
export function createDispatch(agent: Agent): Dispatch {
  return {
    async request(name, params, call) {
      const serve = REQUESTS.get(name);
      if (serve === undefined) {
        throw new BridgeError("methodNotFound", `Method not found: "${name}"`);
      }
      if (name.startsWith("session/") && agent.handshake === undefined) {
        throw new BridgeError(
          "notInitialized",
          `"${name}" before "initialize"`,
        );
      }
      try {
        return await serve(agent, params, call);
      } catch (thrown) {
        throw agent.handshake === "v1" ? thrown : withoutAuthRequired(thrown);
      }
    },
    notification(name, params) {
      NOTIFICATIONS.get(name)?.(agent, params);
    },
  };
}

/** The "1.0" contract has no code of its own for a missing or refused key. */
function withoutAuthRequired(thrown: unknown): unknown {
  return thrown instanceof BridgeError && thrown.fault === "authRequired"
    ? new BridgeError("internal", thrown.message, { cause: thrown })
    : thrown;
}
