/**
 * Makes a body as `fetch` gives it of chunks: bytes on demand, failing when the request is aborted.
 * A chunk iterator that throws is a connection that is cut.
 */
export function byteStream(
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason), {
        once: true,
      });
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (signal?.aborted) return;
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
        return;
      }
      controller.enqueue(
        typeof value === "string" ? encoder.encode(value) : new Uint8Array(value),
      );
    },
    cancel() {
      // Not awaited: a script that waits for ever would make whoever leaves wait as long.
      iterator.return?.();
    },
  });
}
