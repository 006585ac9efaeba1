// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import type { Call } from "../connection.ts";
import { type Agent, findSession, nextStamp, type Session } from "./agent.ts";
import type { PromptParams, PromptResult } from "./schema.ts";
import { progressUpdate, promptText, replyUpdate } from "./updates.ts";

/**
 * `session/prompt`: runs one turn when those before it in its session are through, and relays it
 * (https://agentclientprotocol.com/protocol/v1/prompt-turn).
 */
export async function prompt(
  agent: Agent,
  params: PromptParams,
  call: Call,
): Promise<PromptResult> {
  const session = findSession(agent, params.sessionId);
  const text = promptText(params.prompt);
  agent.threads.checkPrompt(text);
  const turn = session.lastTurn.then(() => runTurn(agent, session, text, call));
  session.lastTurn = turn.then(() => {}, () => {});
  session.prompts.add(call);
  try {
    await abortable(turn, call.signal); // a prompt that still waits in the queue ends at once, too
    return { stopReason: "end_turn" };
  } catch (thrown) {
    if (call.signal.aborted) return { stopReason: "cancelled" };
    throw thrown;
  } finally {
    session.prompts.delete(call);
  }
}

async function runTurn(agent: Agent, session: Session, text: string, call: Call): Promise<void> {
  const { clock, handshake, progress } = agent;
  const asThought = progress === "thought" && handshake === "v1";
  call.signal.throwIfAborted();
  for await (const event of session.thread.run(text, call.signal)) {
    if (event.event === "progress" && progress !== "off") {
      const kind = asThought ? "agent_thought_chunk" : "agent_message_chunk";
      const update = progressUpdate(event.progress, nextStamp(session, clock), kind);
      await call.notify("session/update", { sessionId: session.id, update });
    } else if (event.event === "complete") {
      const update = replyUpdate(event.data, nextStamp(session, clock));
      call.notifyWithAnswer("session/update", { sessionId: session.id, update });
    }
  }
}
