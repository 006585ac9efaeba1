import { openLineEditor, type TerminalStreams } from "./line_editor.ts";

/** A secret that is being asked for. */
export interface SecretPrompt {
  /** What was typed; nothing where nobody wanted to say it. */
  readonly answer: Promise<string | undefined>;
  /** Asks no more, and gives the terminal back. */
  close(): void;
}

/**
 * Asks for a secret, of which nothing is shown.
 *
 * @param interrupted called on Ctrl-C, when the terminal is given back
 */
export function promptSecret(
  streams: TerminalStreams,
  message: string,
  interrupted: () => void,
): SecretPrompt {
  const { promise: answer, resolve } = Promise.withResolvers<string | undefined>();
  const editor = openLineEditor(streams, {
    prompt: "",
    isShown: () => false,
    line(line) {
      resolve(line);
      editor.close();
    },
    interrupted() {
      editor.close();
      interrupted();
    },
    closed() {
      streams.screen.write("\n");
      resolve(undefined);
    },
  });
  streams.screen.write(message); // now that what is typed is not shown
  return { answer, close: () => editor.close() };
}
