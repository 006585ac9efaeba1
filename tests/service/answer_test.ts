import assert from "node:assert/strict";
import { bodyText } from "../../lib/service/answer.ts";
import { byteStream } from "../../lib/service/byte_stream.ts";

/** An answer that says how long it is, and goes on for ever. */
function endless(headers: Record<string, string>): Response {
  async function* chunks() {
    while (true) yield "0123456789";
  }
  return new Response(byteStream(chunks()), { headers });
}

Deno.test("bodyText reads a body whole whose length is said, and characters that are cut", async () => {
  async function* chunks() {
    yield* Array.from(new TextEncoder().encode("é🧠世界"), (byte) => new Uint8Array([byte]));
  }
  for (const length of ["12", "13", "x", ""]) {
    const headers = { "content-length": length };
    assert.equal(await bodyText(new Response(byteStream(chunks()), { headers }), 12), "é🧠世界");
  }
});

Deno.test("bodyText reads no endless body to its end, whatever length that claims", async () => {
  for (
    const headers of [
      {},
      { "content-length": "101" },
      { "content-length": "-1" },
      { "content-length": "5", "transfer-encoding": "chunked" },
      { "content-length": "5", "content-encoding": "gzip" },
    ]
  ) {
    assert.equal((await bodyText(endless(headers), 100)).length, 100, JSON.stringify(headers));
  }
});
