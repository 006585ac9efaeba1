/** How much is read of a file at once, in bytes. */
const CHUNK = 64 * 1024;
/** How long a file is left alone that would have to be waited for, in milliseconds. */
const PAUSE = 20;

/**
 * The bytes of a file as they come; a chunk is good until the next one is asked for. A stream of
 * the runtime's own for stdin takes a sixth of what the bridge adds to the start.
 */
export async function* chunksFrom(
  file: Pick<Deno.FsFile, "read">,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(CHUNK);
  for (let length; (length = await readPatiently(file, buffer)) !== null;) {
    yield buffer.subarray(0, length);
  }
}

/** Reads; where whoever shares the file has set it not to wait (`O_NONBLOCK`), again and again. */
async function readPatiently(
  file: Pick<Deno.FsFile, "read">,
  buffer: Uint8Array,
): Promise<number | null> {
  while (true) {
    try {
      return await file.read(buffer);
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.WouldBlock)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Where bytes go. */
export interface Output {
  /**
   * Writes all of the bytes, which may be changed after; rejects when they cannot be written. One
   * write at a time.
   */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/**
 * A file as an output; it is opened by the first write, and stays open. The stream that the runtime
 * itself has for stdout tells, before Deno 2.8, a write too late that its reader has gone; to make
 * one of our own takes an eighth of it.
 */
export function outputTo(
  open: () => Pick<Deno.FsFile, "write"> | Promise<Deno.FsFile>,
): Output {
  let file: Pick<Deno.FsFile, "write"> | undefined;
  return {
    async write(bytes) {
      file ??= await open();
      for (let written = 0; written < bytes.length;) {
        written += await file.write(bytes.subarray(written));
      }
    },
    close: () => Promise.resolve(),
  };
}

/** A stream as an output: what it is given may lie in it for a while, so it gets copies. */
export function outputInto(stream: WritableStream<Uint8Array<ArrayBuffer>>): Output {
  const writer = stream.getWriter();
  return { write: (bytes) => writer.write(bytes.slice()), close: () => writer.close() };
}
