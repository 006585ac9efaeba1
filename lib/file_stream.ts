/** How much is read of a file at once, in bytes. */
const CHUNK = 64 * 1024;

/**
 * The bytes of a file as they come; a chunk is good until the next one is asked for. A stream of
 * the runtime's own for stdin takes 4 % of the bridge's start.
 */
export async function* chunksFrom(
  file: Pick<Deno.FsFile, "read">,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(CHUNK);
  for (let length; (length = await file.read(buffer)) !== null;) yield buffer.subarray(0, length);
}

/**
 * A file as a stream. The stream that the runtime itself has for stdout tells, before Deno 2.8, a
 * write too late that its reader has gone.
 */
export function streamTo(
  open: () => Pick<Deno.FsFile, "write"> | Promise<Deno.FsFile>,
): WritableStream<Uint8Array<ArrayBuffer>> {
  let file: Pick<Deno.FsFile, "write">;
  return new WritableStream({
    async start() {
      file = await open();
    },
    async write(chunk) {
      for (let written = 0; written < chunk.length;) {
        written += await file.write(chunk.subarray(written));
      }
    },
  });
}
