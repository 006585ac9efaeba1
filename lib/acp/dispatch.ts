import type { Call, Dispatch } from "../connection.ts";
import { BridgeError } from "../errors.ts";
import { parse } from "../parse.ts";
import type { Agent } from "./agent.ts";
import { InitializeParams } from "./handshake_schema.ts";
import { initialize } from "./initialize.ts";

/** The table of all methods but `initialize`: no part of the start, of which it would take 3 %. */
const loadMethods = () => import("./methods.ts");

/** Serves the agent's methods. */
export function createDispatch(agent: Agent): Dispatch {
  /** One for all: whoever waits for it goes on in the order of the calls. */
  let methods: ReturnType<typeof loadMethods> | undefined;

  async function serve(name: string, params: unknown, call: Call): Promise<unknown> {
    if (name === "initialize") {
      const initial = parse(InitializeParams, params, "invalidParams", `params of ${name}`);
      return initialize(agent, initial);
    }
    const isEarly = agent.handshake === undefined; // now: `initialize` overtakes what waits
    const { REQUESTS } = await (methods ??= loadMethods());
    const method = REQUESTS.get(name);
    if (method === undefined) {
      throw new BridgeError("methodNotFound", `Method not found: "${name}"`);
    }
    if (name.startsWith("session/") && isEarly) {
      throw new BridgeError("notInitialized", `"${name}" before "initialize"`);
    }
    return await method(agent, params, call);
  }

  return {
    async request(name, params, call) {
      try {
        return await serve(name, params, call);
      } catch (thrown) {
        throw agent.handshake === "v1" ? thrown : withoutAuthRequired(thrown);
      }
    },
    async notification(name, params) {
      const { NOTIFICATIONS } = await (methods ??= loadMethods());
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
