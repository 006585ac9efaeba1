import assert from "node:assert/strict";
import { byteStream } from "../../lib/service/byte_stream.ts";
import { type Batch, readFrames } from "../../lib/service/sse.ts";
import { bytewise } from "../support.ts";

/** Chunks as the body of an answer. */
async function* chunksOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function bodyOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return byteStream(chunksOf(chunks));
}

/** What all batches have; what came before a failure is in `frames` then. */
async function allOf(batches: AsyncIterable<Batch<string>>, frames: string[] = []) {
  for await (const batch of batches) frames.push(...batch());
  return frames;
}

/** All frames of a body, whatever came together. */
async function framesOf(chunks: Iterable<Uint8Array>): Promise<string[]> {
  return await allOf(readFrames(bodyOf(chunks)));
}

Deno.test("readFrames gives the data of each frame, however the bytes are cut", async () => {
  const table: [string, string[]][] = [
    ["data: a\n\ndata: b\n\n", ["a", "b"]],
    ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["data: a\r\rdata: b\r\r", ["a", "b"]],
    ["data:a\n\n", ["a"]],
    ["data: a\ndata: b\n\n", ["a\nb"]],
    [": comment\n\ndata: a\n: comment\n\n", ["a"]],
    ["event: e\nid: 1\nretry: 5\nunknown: x\ndata: a\n\n", ["a"]],
    ["\ufeffdata: a\n\n", ["a"]],
    ["data: a\n\r\rdata: b\r\r", ["a", "b"]],
    ["data: \ufeffa\n\n\ufeffdata: no field\n\n", ["\ufeffa"]],
    ["data: é🧠\u2028世界\u2029\u0085x\n\n", ["é🧠\u2028世界\u2029\u0085x"]],
    ["data\n\n", [""]],
    ["event: nothing\n\n", []],
    ["data: cut off", []],
    ["data: cut off\n", []],
    ["", []],
  ];
  for (const [text, frames] of table) {
    const whole = [new TextEncoder().encode(text)].filter((chunk) => chunk.length > 0);
    assert.deepEqual(await framesOf(whole), frames, text);
    assert.deepEqual(await framesOf(bytewise(text)), frames, text);
  }
});

Deno.test("readFrames gives frames that are longer than one read, in linear time", async () => {
  const long = "x".repeat(5_000_000);
  const bytes = new TextEncoder().encode(`data: ${long}\n\ndata: b\n\n`);
  function* pieces() {
    for (let i = 0; i < bytes.length; i += 1000) yield bytes.slice(i, i + 1000);
  }
  assert.deepEqual(await framesOf(pieces()), [long, "b"]);
});

Deno.test("readFrames has long lines decoded apart, which are whole and stay as they are", async () => {
  const [long, longer] = ["é".repeat(50_000), "🧠".repeat(900_000)];
  const text = `data: a\n\ndata: ${long}\r\n: no data\n\ndata: ${longer}\ndata: b\n\ndata: c\n\n`;
  const lines: Uint8Array[] = [];
  const decodeLong = (line: Uint8Array) => `data: ${lines.push(line)}\n`;
  const frames = readFrames(bodyOf([new TextEncoder().encode(text)]), { decodeLong });
  assert.deepEqual(await allOf(frames), ["a", "1", "2\nb", "c"]);
  const decoded = lines.map((line) => new TextDecoder().decode(line));
  assert.ok(decoded[0] === `data: ${long}\r` && decoded[1] === `data: ${longer}\n`);
});

Deno.test("readFrames gives what came before it fails on a frame without end", async () => {
  function* endless() {
    yield new TextEncoder().encode("data: a\n\ndata: ");
    while (true) yield new TextEncoder().encode("x".repeat(1000));
  }
  const frames: string[] = [];
  await assert.rejects(allOf(readFrames(bodyOf(endless()), { limit: 100_000 }), frames), {
    type: "max-buffer-size-exceeded",
  });
  assert.deepEqual(frames, ["a"]);
});

Deno.test("readFrames measures each line alone, and loses nothing before one that is too long", async () => {
  const text = `data: ${"x".repeat(80)}\n\ndata: b\n\ndata: c\n\ndata: ${"y".repeat(95)}`;
  const cut = [text.slice(0, 50), text.slice(50)].map((part) => new TextEncoder().encode(part));
  const frames: string[] = [];
  await assert.rejects(allOf(readFrames(bodyOf(cut), { limit: 100 }), frames), {
    type: "max-buffer-size-exceeded",
  });
  assert.deepEqual(frames, ["x".repeat(80), "b", "c"]);
  const ended = [`data: ${"x".repeat(90)}`, "y".repeat(50) + "\n\ndata: b\n\n"];
  const whole = bodyOf(ended.map((part) => new TextEncoder().encode(part)));
  await assert.rejects(allOf(readFrames(whole, { limit: 100 })), {
    type: "max-buffer-size-exceeded",
  });
});

Deno.test("readFrames fails on a frame of several lines that is too long, however it is cut", async () => {
  const text = `data: ${"a".repeat(60)}\ndata: ${"b".repeat(61)}\ndata: c\n\n`;
  for (let at = 1; at < text.length; at++) {
    const cut = [text.slice(0, at), text.slice(at)].map((part) => new TextEncoder().encode(part));
    await assert.rejects(allOf(readFrames(bodyOf(cut), { limit: 100 })), {
      type: "max-buffer-size-exceeded",
    }, String(at));
  }
});

Deno.test("readFrames does not let a batch be passed over", async () => {
  const frames = readFrames(bodyOf([new TextEncoder().encode("data: a\n\n")]));
  await frames.next();
  await assert.rejects(frames.next(), /not read/);
});

Deno.test("readFrames waits for nothing after the end of a line, whatever ends it", async () => {
  async function* chunks() {
    yield "data: a\r\n\r\n";
    yield "data: b\n\ndata: c\r\r";
    await new Promise(() => {});
  }
  const frames = readFrames(byteStream(chunks()));
  assert.deepEqual((await frames.next()).value?.(), ["a"]);
  assert.deepEqual((await frames.next()).value?.(), ["b", "c"]);
});

Deno.test("readFrames closes the body when the loop is left", async () => {
  let closed = false;
  async function* chunks() {
    try {
      yield "data: a\n\n";
      yield "data: b\n\n";
    } finally {
      closed = true;
    }
  }
  for await (const _ of readFrames(byteStream(chunks()))) break;
  assert.ok(closed);
});
