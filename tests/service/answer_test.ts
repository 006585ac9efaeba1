import assert from "node:assert/strict";
import { bodyText } from "../../lib/service/answer.ts";
import { byteStream } from "../../lib/service/byte_stream.ts";

/** An answer that goes on for long, whatever it says of its length. */
function longer(headers: Record<string, string>): Response {
  async function* chunks() {
    for (let count = 0; count < 1000; count++) yield "0123456789";
  }
  return new Response(byteStream(chunks()), { headers });
}

Deno.test("bodyText reads a body whole, its length said or not, and characters that are cut", async () => {
  async function* chunks() {
    yield* Array.from(new TextEncoder().encode("é🧠世界"), (byte) => new Uint8Array([byte]));
  }
  for (const length of ["12", "13", "x", ""]) {
    const headers = { "content-length": length };
    assert.equal(await bodyText(new Response(byteStream(chunks()), { headers }), 12), "é🧠世界");
  }
});

Deno.test("bodyText reads no body beyond the limit, whatever length it claims", async () => {
  for (
    const headers of [
      {},
      { "content-length": "101" },
      { "content-length": "-1" },
      { "content-length": "5", "transfer-encoding": "chunked" },
      { "content-length": "5", "content-encoding": "gzip" },
    ]
  ) {
    assert.equal((await bodyText(longer(headers), 100)).length, 100, JSON.stringify(headers));
  }
});
