import { outputTo } from "./file_bytes.ts";
import { createLineWriter, type LineWriter } from "./jsonl.ts";

/** How many characters of log may wait to be read; more is dropped. */
const MAX_UNREAD = 1024 * 1024;

/** Where the lines of a log go. */
export interface LogWriter {
  write(line: string): void;
  /** Resolves when all lines so far are written, or cannot be. */
  flush(): Promise<void>;
}

/**
 * Adds lines to a file, or writes them to stderr where there is none. A log that is not read, or
 * cannot be written, holds nothing up: `complain` tells the user, once.
 */
export function createLogWriter(
  path: string | undefined,
  stderr: Pick<Deno.FsFile, "write">,
  complain: (message: string) => void,
): LogWriter {
  let opened: LineWriter | undefined; // by the first line: most bridges log none

  function open(): LineWriter {
    const writer = createLineWriter(outputTo(() => path === undefined ? stderr : openLog(path)));
    writer.failed.catch((cause) => {
      if (path !== undefined) {
        complain(`the log goes no further, ${path} cannot be written: ${cause}`);
      }
    });
    return writer;
  }

  return {
    write(line) {
      opened ??= open();
      if (opened.unread < MAX_UNREAD) opened.write(line).catch(() => {}); // see `failed`
    },
    flush: () => opened?.flush() ?? Promise.resolve(),
  };
}

async function openLog(path: string): Promise<Deno.FsFile> {
  const { isFifo } = await Deno.stat(path).catch(() => ({ isFifo: false }));
  // To open one would wait for a reader, and the whole runtime with it.
  if (isFifo) throw new Error("it is a pipe");
  return await Deno.open(path, { append: true, create: true, mode: 0o600 });
}
