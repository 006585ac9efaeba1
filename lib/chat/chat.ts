// @ts-types="../declarations/colors.d.ts"
import { dim } from "@std/fmt/colors";
import type { Config } from "../config.ts";
import { BridgeError } from "../errors.ts";
import { lastMoment } from "../lifetime.ts";
import { oneLine } from "../one_line.ts";
import { createParts } from "../parts.ts";
import type { Surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";
import { NO_SESSION, openConversation, type Update } from "../conversation.ts";
import type { Prompts } from "./prompts.ts";
import { createSpinner } from "./spinner.ts";
import { plainText, terminalText } from "./terminal_text.ts";

/** What a chat is held with. */
export interface ChatOptions {
  surroundings: Surroundings;
  terminal: Terminal;
  /** The words that begin a chat with the same settings. */
  again: string;
  /** Which session is gone on with: the last one of this folder, or one by its id. */
  resume: "last" | { sessionId: string } | undefined;
  /**
   * What the user says; `interrupted` is called on Ctrl-C, whatever is going on, and `leave` when the
   * process has to end.
   */
  prompts: (interrupted: () => void, leave: (status: number) => void) => Promise<Prompts>;
}

/** The exit status of what Ctrl-C has ended. */
const INTERRUPTED = 130;
/** The longest path that is shown, in characters. */
const MAX_PATH = 300;

/**
 * `chat`: a conversation in the terminal, with a bridge of its own: what one sees is what an editor
 * would get. Replies go to stdout, and everything else to stderr. Returns the exit status.
 */
export async function chat(config: Config, options: ChatOptions): Promise<number> {
  const { surroundings, terminal, again, resume } = options;
  const isTalk = terminal.isInput;
  const spinner = createSpinner(
    surroundings.clock,
    terminal.columns,
    terminal.isNotes ? terminal.note : () => {},
  );
  const left = Promise.withResolvers<number>();
  /** Whether the last reply was a failure. */
  let hasFailed = false;
  let turn: "none" | "running" | "cancelled" = "none";

  function note(text: string): void {
    terminal.note(`${terminal.isNotes ? dim(text) : text}\n`);
  }

  function show(update: Update): void {
    if (update.sessionUpdate === "agent_thought_chunk") {
      if (turn !== "none") spinner.show(update.content.text);
      return;
    }
    spinner.stop();
    if (update.sessionUpdate === "tool_call") {
      for (const { path } of update.locations) note(`Saved ${oneLine(path, MAX_PATH)}`);
    } else if (update.sessionUpdate === "user_message_chunk") {
      note(`> ${plainText(update.content.text ?? "")}`);
    } else if (update.messageId.startsWith("result_")) {
      reply(update.content.text);
    } else {
      note(plainText(update.content.text).trimEnd());
    }
  }

  function reply(text: string): void {
    const whole = text.endsWith("\n") ? text : `${text}\n`;
    hasFailed = text.startsWith("Error: "); // as a run's own failure is told
    terminal.print(
      terminal.colors ? terminalText(whole) : terminal.isOutput ? plainText(whole) : whole,
    );
  }

  function interrupted(): void {
    if (turn !== "running") return left.resolve(INTERRUPTED);
    turn = "cancelled";
    conversation.cancel();
  }

  /** Has a turn; returns the exit status that it would have. */
  async function take(prompt: string): Promise<number> {
    turn = "running";
    spinner.show("The Brain is at work");
    try {
      const stopReason = await conversation.prompt(prompt).finally(spinner.stop);
      if (stopReason !== "cancelled") return hasFailed ? 1 : 0;
      if (isTalk) note("Cancelled; Ctrl-C again leaves.");
      return INTERRUPTED;
    } catch (thrown) {
      if (!(thrown instanceof BridgeError)) throw thrown;
      surroundings.complain(thrown.message);
      return 1;
    } finally {
      turn = "none";
    }
  }

  async function talk(): Promise<number> {
    let status = 0;
    while (true) {
      const prompt = await prompts.next();
      if (prompt === undefined) return isTalk ? 0 : status;
      if (isTalk && /^\s*(exit|quit)\s*$/i.test(prompt)) return 0;
      if (prompt.trim() !== "") status = await take(prompt);
      else if (!isTalk) {
        throw new BridgeError("invalidParams", "There is no prompt on stdin: write one into it");
      }
    }
  }

  const parts = await createParts(
    { ...config, progress: config.progress === "off" ? "off" : "thought" },
    surroundings,
  );
  const conversation = await openConversation({
    parts,
    cwd: surroundings.cwd(),
    resume,
    orNew: isTalk,
    replay: isTalk,
    show,
  });
  if (resume !== undefined && !conversation.resumed) note(`${NO_SESSION}, so this is a new one.`);
  if (isTalk) {
    note(`The Brain, at ${parts.origin}; exit, quit or Ctrl-D leave, Ctrl-C cancels a turn.`);
  }
  const prompts = await options.prompts(interrupted, left.resolve);
  try {
    const status = await Promise.race([talk(), left.promise]);
    if (isTalk && config.history) note(`To go on: ${again} --resume ${conversation.sessionId}`);
    return status;
  } finally {
    spinner.stop();
    prompts.close();
    // Who has pressed Ctrl-C twice does not want to wait.
    await Promise.race([
      conversation.close(),
      left.promise.then(() => lastMoment(surroundings.clock)),
    ]);
  }
}
