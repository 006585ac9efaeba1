import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";

/** A terminal: what is typed, and what is shown. */
export interface TerminalStreams {
  input: ReadStream;
  screen: WriteStream;
}

/** What is wanted of a line editor. */
export interface LineEditorOptions {
  /** What stands before the line. */
  prompt: string;
  /** Whether what is typed is shown now. */
  isShown: () => boolean;
  /** Called with each line. */
  line: (line: string) => void;
  /** Called on Ctrl-C. */
  interrupted: () => void;
  /** Called on Ctrl-D in an empty line, and when the editor is closed. */
  closed: () => void;
}

/** A piece of input that is no single key: a paste, or what came while nobody looked. */
// deno-lint-ignore no-control-regex -- all but tabs and line ends are keys
const PASTED = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]{2,}$/;

/** Edits lines at a terminal, which is raw until the editor is closed. */
export function openLineEditor(
  { input, screen }: TerminalStreams,
  options: LineEditorOptions,
): Interface {
  const output = new Writable({
    write(chunk, _encoding, written) {
      if (options.isShown()) screen.write(chunk);
      written();
    },
  });
  // The editor needs to know where its lines break.
  Object.defineProperty(output, "columns", { get: () => screen.columns });
  const keys = new PassThrough();
  const { prompt } = options;
  const editor = createInterface({ input: keys, output, prompt, terminal: true });
  const decoder = new TextDecoder();
  let isOpen = true;

  function typed(bytes: Uint8Array): void {
    const text = decoder.decode(bytes, { stream: true });
    if (!isOpen) return;
    // Key by key, the editor would measure the whole line for each: a long one took minutes.
    if (PASTED.test(text)) editor.write(text);
    else keys.write(text);
  }

  input.setRawMode(true);
  input.on("data", typed);
  editor.on("line", options.line);
  editor.on("SIGINT", options.interrupted);
  editor.on("SIGTSTP", () => {}); // to stop the process takes a permission that it does not have
  editor.on("close", () => {
    isOpen = false;
    input.off("data", typed);
    input.setRawMode(false);
    input.pause();
    options.closed();
  });
  return editor;
}
