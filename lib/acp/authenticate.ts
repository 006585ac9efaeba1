import type { AuthenticateResponse, AuthMethod, LogoutResponse } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { Call } from "../connection.ts";
import { BridgeError } from "../errors.ts";
import type { Agent } from "./agent.ts";
import { HasTerminal, type InitializeParams } from "./handshake_schema.ts";
import type { AuthenticateParams } from "./schema.ts";

/**
 * The ways to authenticate. The first has no `type`, for many clients call it without a look; the
 * second, a command in a terminal, is for clients that can run one
 * (https://agentclientprotocol.com/protocol/v1/authentication).
 */
const API_KEY: AuthMethod = {
  id: "api-key",
  name: "API key",
  description: "Uses PATBA_API_KEY, or the key kept by `patb-cli-bridge login`",
};
const LOGIN: AuthMethod = {
  type: "terminal",
  id: "login",
  name: "Log in",
  description: "Asks for the API key in a terminal, and keeps it",
  args: ["login"],
};

/** The ways to authenticate that a client is offered. */
export function authMethods({ clientCapabilities }: InitializeParams): AuthMethod[] {
  return v.is(HasTerminal, clientCapabilities) ? [API_KEY, LOGIN] : [API_KEY];
}

/** `authenticate`: looks for the key anew, and asks the service whether it takes it. */
export async function authenticate(
  agent: Agent,
  { methodId }: AuthenticateParams,
  call: Call,
): Promise<AuthenticateResponse> {
  if (methodId !== API_KEY.id && methodId !== LOGIN.id) {
    throw new BridgeError("invalidParams", `Unknown authentication method "${methodId}"`);
  }
  await agent.credentials.refresh();
  try {
    const threads = await agent.loadThreads();
    await threads.checkKey(call.signal);
  } catch (thrown) {
    if (!(thrown instanceof BridgeError)) throw thrown;
    throw new BridgeError("authRequired", thrown.message, { cause: thrown });
  }
  return {};
}

/** `logout`: forgets the key that the user has logged in with. */
export async function logout(agent: Agent): Promise<LogoutResponse> {
  await agent.credentials.logout();
  return {};
}
