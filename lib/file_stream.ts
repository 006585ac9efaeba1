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
