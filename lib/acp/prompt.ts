// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import type { Call } from "../connection.ts";
import { type Agent, findSession, nextStamp, type Session } from "./agent.ts";
import type { AgentMessageChunk, PromptParams, PromptResult } from "./schema.ts";
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

async function runTurn(
  { clock }: Agent,
  session: Session,
  text: string,
  call: Call,
): Promise<void> {
  call.signal.throwIfAborted();
  for await (const event of session.thread.run(text, call.signal)) {
    if (event.event === "progress") {
      const update = progressUpdate(event.progress, nextStamp(session, clock));
      await call.notify("session/update", sessionUpdate(session, update));
    } else if (event.event === "complete") {
      const update = replyUpdate(event.data, nextStamp(session, clock));
      call.notifyWithAnswer("session/update", sessionUpdate(session, update));
    }
  }
}

function sessionUpdate(session: Session, update: AgentMessageChunk) {
  return { sessionId: session.id, update };
}
