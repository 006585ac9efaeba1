import { createInterface } from "node:readline";
import type { ReadStream } from "node:tty";
import type { Clock } from "../clock.ts";

/** What the user types. */
export interface Prompts {
  /** The next prompt, of one line, or of several that were pasted; nothing at the end. */
  next(): Promise<string | undefined>;
  /** Gives the terminal back. */
  close(): void;
}

/** All of an input that is no terminal, as one prompt. */
export function onePrompt(input: ReadableStream<Uint8Array<ArrayBuffer>>): Prompts {
  let isRead = false;
  return {
    async next() {
      if (isRead) return undefined;
      isRead = true;
      return await new Response(input).text();
    },
    close() {},
  };
}

/** How long after a line the next one still belongs to the same paste, in milliseconds. */
const PASTE_GAP = 25;

/**
 * Reads prompts from a terminal, with a line editor. While nobody asks for one, the terminal is as
 * it was, so that Ctrl-C is a signal.
 *
 * @param interrupted called on Ctrl-C while a prompt is typed
 */
export function readPrompts(
  input: ReadStream,
  output: NodeJS.WritableStream,
  clock: Clock,
  interrupted: () => void,
): Prompts {
  const editor = createInterface({ input, output, prompt: "> ", terminal: true });
  let lines: string[] = [];
  let ended = false;
  let waiting: ((prompt: string | undefined) => void) | undefined;
  let unschedule = () => {};

  function give(): void {
    if (waiting === undefined || (lines.length === 0 && !ended)) return;
    if (!ended) {
      editor.pause();
      input.setRawMode(false);
    }
    waiting(lines.length === 0 ? undefined : lines.join("\n"));
    waiting = undefined;
    lines = [];
  }

  editor.on("line", (line) => {
    lines.push(line);
    unschedule();
    unschedule = clock.schedule(PASTE_GAP, () => {
      // A line that was begun meanwhile is the last one of a paste, and the user ends it.
      if (editor.line === "") give();
    });
  });
  editor.on("SIGINT", interrupted);
  editor.on("close", () => {
    ended = true;
    unschedule();
    give();
  });

  return {
    next() {
      return new Promise((resolve) => {
        waiting = resolve;
        if (lines.length > 0 || ended) return give();
        input.setRawMode(true);
        editor.resume();
        editor.prompt(true);
      });
    },
    close: () => editor.close(),
  };
}
