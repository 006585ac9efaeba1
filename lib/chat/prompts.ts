import type { Clock } from "../clock.ts";
import { BridgeError } from "../errors.ts";
import { openLineEditor, type TerminalStreams } from "../line_editor.ts";

/** What the user says. */
export interface Prompts {
  /** The next prompt, of one line, or of several that were pasted; nothing at the end. */
  next(): Promise<string | undefined>;
  /** Gives the terminal back. */
  close(): void;
}

/** How long after a line the next one still belongs to the same paste, in milliseconds. */
const PASTE_GAP = 25;

/** All of an input that is no terminal, as one prompt. */
export function onePrompt(input: ReadableStream<Uint8Array<ArrayBuffer>>): Prompts {
  let isRead = false;
  return {
    async next() {
      if (isRead) return undefined;
      isRead = true;
      const bytes = await new Response(input).bytes().catch((cause) => {
        throw new BridgeError("invalidParams", `stdin cannot be read: ${cause}`, { cause });
      });
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      } catch (cause) {
        throw new BridgeError("invalidParams", "What is on stdin is not UTF-8 text", { cause });
      }
    },
    close() {},
  };
}

/**
 * Reads prompts from a terminal. What is typed while nobody asks for a prompt is not shown until
 * somebody does.
 *
 * @param interrupted called on Ctrl-C, at any time
 */
export function readPrompts(
  streams: TerminalStreams,
  clock: Clock,
  interrupted: () => void,
): Prompts {
  let waiting: ((prompt: string | undefined) => void) | undefined;
  /** The lines of a prompt that may have more, and the prompts that are typed ahead. */
  let lines: string[] = [];
  const typed: string[] = [];
  let ended = false;
  let unschedule = () => {};

  const editor = openLineEditor(streams, {
    prompt: "> ",
    isShown: () => waiting !== undefined,
    interrupted,
    line(line) {
      lines.push(line);
      unschedule();
      unschedule = clock.schedule(PASTE_GAP, () => {
        // A line that was begun meanwhile is the last one of a paste, and the user ends it.
        if (editor.line === "") finishPrompt();
      });
    },
    closed() {
      ended = true;
      unschedule();
      finishPrompt();
    },
  });

  function give(): void {
    if (waiting === undefined || (typed.length === 0 && !ended)) return;
    waiting(typed.shift());
    waiting = undefined;
  }

  function finishPrompt(): void {
    if (lines.length > 0) typed.push(lines.join("\n"));
    lines = [];
    give();
  }

  return {
    next() {
      return new Promise((resolve) => {
        waiting = resolve;
        if (typed.length > 0 || ended) give();
        else editor.prompt(true);
      });
    },
    close: () => editor.close(),
  };
}
