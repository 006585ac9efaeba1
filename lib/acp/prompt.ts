// @ts-types="../declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import type { PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Call } from "../connection.ts";
import type { Entry } from "../session_record.ts";
import { encodeJson, type Json } from "../json.ts";
import { type Agent, findSession, nextStamp, type Session } from "./agent.ts";
import { saveFile, type Turn } from "./files.ts";
import type { PromptParams, TextChunk } from "./schema.ts";
import {
  filesOf,
  isLast,
  promptBlocks,
  promptText,
  titleOf,
  toUpdate,
  updateParams,
} from "./updates.ts";

/**
 * `session/prompt`: runs one turn when those before it in its session are through, and relays it
 * (https://agentclientprotocol.com/protocol/v1/prompt-turn).
 */
export async function prompt(
  agent: Agent,
  params: PromptParams,
  call: Call,
): Promise<PromptResponse> {
  const session = findSession(agent, params.sessionId);
  const text = promptText(params.prompt);
  session.thread.checkPrompt(text);
  const turn = session.lastTurn.then(() => runTurn(agent, session, params.prompt, text, call));
  session.lastTurn = turn.then(() => {}, () => {});
  session.prompts.add(call);
  try {
    // A prompt that still waits in the queue is cancelled at once, too.
    const reply = await abortable(turn, call.signal);
    if (reply !== undefined) {
      call.notifyWithAnswer("session/update", ...updateParams(session.id, reply));
    }
    return { stopReason: "end_turn" };
  } catch (thrown) {
    if (call.signal.aborted) return { stopReason: "cancelled" };
    throw thrown;
  } finally {
    session.prompts.delete(call);
  }
}

/** Runs a turn, relays its progress, and returns its reply. */
async function runTurn(
  agent: Agent,
  session: Session,
  prompt: PromptParams["prompt"],
  text: string,
  call: Call,
): Promise<Json | undefined> {
  const stamp = () => nextStamp(session, agent.clock);
  const remember = (...entries: Entry[]) => agent.history.append(session.id, ...entries);
  call.signal.throwIfAborted();
  if (!session.titled) {
    session.titled = true;
    const title = titleOf(text);
    remember({ kind: "title", title });
    if (agent.handshake === "v1") {
      const update: SessionUpdate = { sessionUpdate: "session_info_update", title };
      await call.notify("session/update", ...updateParams(session.id, encodeJson(update)));
    }
  }
  remember({ kind: "prompt", messageId: `prompt_${stamp()}`, blocks: promptBlocks(prompt) });

  const run = session.thread.run(text, call.signal);
  const turn: Turn = { call, run, unsaved: new Set() };
  /** What is to be shown next, in one piece. */
  const unshown: Json[] = [];
  function add(update: Json | undefined): void {
    if (update !== undefined) unshown.push(update);
  }
  /** Gives out all that is to be shown, which is remembered from then on. */
  function take(): Json[] {
    call.signal.throwIfAborted(); // what is not shown any more is not remembered either
    const taken = unshown.splice(0); // a new list, as in `readFrames`
    agent.history.appendUpdates(session.id, taken);
    return taken;
  }
  /** Not async, as `notify` is not. */
  function show(): Promise<void> {
    return call.notify("session/update", ...updateParams(session.id, ...take()));
  }

  try {
    for await (const batch of run.events) {
      for (const event of batch()) {
        for (const file of filesOf(event)) {
          await show(); // what came before it: a file may take a while
          const saved = await saveFile(agent, session, file, turn);
          add(saved && encodeJson(saved));
        }
        const isReply = isLast(event);
        if (isReply) await show();
        add(toUpdate(event, stamp, progressKind(agent)));
        if (isReply) return take().pop();
      }
      if (unshown.length > 0) await show();
    }
  } finally {
    agent.history.save(session.id);
  }
}

/** Only ACP v1 knows thoughts. */
function progressKind({ progress, handshake }: Agent): TextChunk["sessionUpdate"] | undefined {
  if (progress === "off") return undefined;
  return progress === "thought" && handshake === "v1"
    ? "agent_thought_chunk"
    : "agent_message_chunk";
}
