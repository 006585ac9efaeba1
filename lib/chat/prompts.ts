import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
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
 * Reads prompts from a terminal, with a line editor. What is typed while nobody asks for a prompt is
 * not shown until somebody does.
 *
 * @param interrupted called on Ctrl-C, at any time
 */
export function readPrompts(
  input: ReadStream,
  screen: WriteStream,
  clock: Clock,
  interrupted: () => void,
): Prompts {
  let waiting: ((prompt: string | undefined) => void) | undefined;
  const output = new Writable({
    write(chunk, _encoding, written) {
      if (waiting !== undefined) screen.write(chunk);
      written();
    },
  });
  // The editor needs to know where its lines break.
  Object.defineProperty(output, "columns", { get: () => screen.columns });
  const editor = createInterface({ input, output, prompt: "> ", terminal: true });
  let lines: string[] = [];
  let ended = false;
  let unschedule = () => {};

  function give(): void {
    if (waiting === undefined || (lines.length === 0 && !ended)) return;
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
  editor.on("SIGTSTP", () => {}); // to stop the process takes a permission that it does not have
  editor.on("close", () => {
    ended = true;
    unschedule();
    give();
  });

  return {
    next() {
      return new Promise((resolve) => {
        waiting = resolve;
        if (lines.length > 0 || ended) give();
        else editor.prompt(true);
      });
    },
    close: () => editor.close(),
  };
}
