/**
 * Makes a body as `fetch` gives it of chunks: bytes on demand, failing when the request is aborted.
 * A chunk iterator that throws is a connection that is cut.
 */
export function byteStream(
  chunks: AsyncIterable<string | Uint8Array>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = bytesOf(chunks);

  /** Not awaited: a script that waits for ever would make whoever leaves wait as long. */
  function leave(): void {
    iterator.return(undefined);
  }

  return new ReadableStream({
    type: "bytes",
    start(controller) {
      signal?.addEventListener("abort", () => {
        controller.error(signal.reason);
        leave();
      }, { once: true });
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (signal?.aborted) return;
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: leave,
  });
}

async function* bytesOf(
  chunks: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue; // a byte stream takes none
    yield typeof chunk === "string" ? encoder.encode(chunk) : new Uint8Array(chunk);
  }
}
