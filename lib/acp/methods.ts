import type * as v from "valibot";
import type { Call } from "../connection.ts";
import { parse } from "../parse.ts";
import type { Agent } from "./agent.ts";
import { listAgents } from "./agents.ts";
import { authenticate, logout } from "./authenticate.ts";
import { listSessions } from "./list_sessions.ts";
import { prompt } from "./prompt.ts";
import {
  AuthenticateParams,
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

/** The requests that are served, but for `initialize`. */
export const REQUESTS = new Map<string, Method<[Call]>>([
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
export const NOTIFICATIONS = new Map<string, Method<[]>>([
  method("session/cancel", SessionParams, cancelSession),
]);
