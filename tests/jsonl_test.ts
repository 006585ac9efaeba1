import assert from "node:assert/strict";
import { createLineWriter, readLines } from "../lib/jsonl.ts";
import { bytewise, streamOf, textOf } from "./support.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function read(chunks: Iterable<Uint8Array<ArrayBuffer>>, limit?: number): Promise<string[]> {
  const lines = await Array.fromAsync(readLines(streamOf(chunks), limit));
  return lines.map((line) => typeof line === "string" ? line : `! ${line.message}`);
}

Deno.test("readLines gives each line, however the bytes are cut", async () => {
  const table: [string, string[]][] = [
    ["", []],
    ["a\nb\n", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["last line without newline", ["last line without newline"]],
    ["\n\n  \n\r\n\ta\n", ["a"]],
    ["\ufeff{}\n", ["{}"]],
    ["é🧠🐭\u2028世界\n𝒳", ["é🧠🐭\u2028世界", "𝒳"]],
    ["a\rb\n", ["a\rb"]],
    ["a\0b\n", ["a\0b"]],
  ];
  for (const [text, lines] of table) {
    assert.deepEqual(await read([encode(text)]), lines, JSON.stringify(text));
    assert.deepEqual(await read(bytewise(text)), lines, `${JSON.stringify(text)} bytewise`);
    assert.deepEqual(
      await read([encode(text), new Uint8Array()]),
      lines,
      `${JSON.stringify(text)} and an empty chunk`,
    );
  }
});

Deno.test("readLines says that a line is not UTF-8, and goes on", async () => {
  const bad = new Uint8Array([...encode("a\n"), 0xc3, 0x28, 10, ...encode("b\n"), 0xe2, 0x82]);
  const error = "! Parse error: the line is not UTF-8";
  assert.deepEqual(await read([bad]), ["a", error, "b", error]);
});

Deno.test("readLines says that a line is too long, skips it, and goes on", async () => {
  const error = "! Parse error: the line is longer than 4 bytes";
  const table: [string, string[]][] = [
    ["1234\n", ["1234"]],
    ["12345\n6\n", [error, "6"]],
    ["1\n234567890123\n4\n", ["1", error, "4"]],
    ["12345", [error]],
    ["123456789", [error]],
  ];
  for (const [text, lines] of table) {
    assert.deepEqual(await read([encode(text)], 4), lines, text);
    assert.deepEqual(await read(bytewise(text), 4), lines, `${text} bytewise`);
  }
});

Deno.test("readLines does not keep what it skips", async () => {
  const chunk = new Uint8Array(64 * 1024).fill(120); // always the same: it makes no garbage
  let most = 0;
  function* endless() {
    for (let i = 0; i < 2048; i++) {
      yield chunk;
      most = Math.max(most, Deno.memoryUsage().external); // this thread's own buffers
    }
    yield encode("\nnext\n");
  }
  const before = Deno.memoryUsage().external;
  const lines = await read(endless(), 1024 * 1024);
  assert.equal(lines.at(-1), "next");
  assert.ok(most - before < 8 * 1024 * 1024, `${most - before} bytes of 128 MiB were kept`);
});

/** An output that takes one write at a time, when it is told to. */
function slowOutput() {
  const writes: string[] = [];
  let next = Promise.withResolvers<void>();
  const output = new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(chunk) {
      await next.promise;
      next = Promise.withResolvers();
      writes.push(new TextDecoder().decode(chunk));
    },
  });
  return {
    writes,
    output: output.getWriter(),
    take: () => next.resolve(),
    fail: (why: Error) => next.reject(why),
  };
}

Deno.test("createLineWriter writes whole lines, those that are ready together at once", async () => {
  const { writes, output, take } = slowOutput();
  const writer = createLineWriter(output);
  writer.write("1");
  writer.write("2", "3");
  take();
  await writer.flush();
  assert.deepEqual(writes, ["1\n2\n3\n"]);
});

Deno.test("createLineWriter makes its callers wait while much is unread", async () => {
  const { writes, output, take } = slowOutput();
  const writer = createLineWriter(output, 4);
  writer.write("12");
  let written = false;
  const wait = writer.write("34").then(() => written = true);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(written, false);
  assert.equal(writer.unread, 6);
  take();
  await wait;
  assert.deepEqual(writes, ["12\n34\n"]);
  assert.equal(writer.unread, 0);
});

Deno.test("createLineWriter escapes the line separators of Unicode", async () => {
  const { writes, output, take } = slowOutput();
  const writer = createLineWriter(output);
  const text = "a\u2028b\u2029c\u0085d";
  writer.write(JSON.stringify(text));
  take();
  await writer.flush();
  assert.equal(writes[0], '"a\\u2028b\\u2029c\\u0085d"\n');
  assert.equal(JSON.parse(writes[0] ?? ""), text);
});

Deno.test("createLineWriter writes a long line in pieces, whole and in its place", async () => {
  const writes: Uint8Array<ArrayBuffer>[] = [];
  const writer = createLineWriter({
    write: (bytes) => Promise.resolve(void writes.push(bytes.slice())),
    close: () => Promise.resolve(),
  });
  const part = `a${"é🧠\u2028".repeat(50_000)}`;
  writer.write("before", textOf([part, "", part]), "after");
  writer.write("last");
  await writer.flush();
  const written = part.replaceAll("\u2028", "\\u2028");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(writes).bytes());
  assert.equal(text, `before\n${written}${written}\nafter\nlast\n`);
  assert.equal(writer.unread, 0);
  const longest = Math.max(...writes.map(({ length }) => length));
  assert.ok(longest <= 256 * 1024, `${longest} bytes at once`);
});

Deno.test("createLineWriter says that its output failed, to callers then and later", async () => {
  const { output, fail } = slowOutput();
  const writer = createLineWriter(output, 1);
  const waiting = writer.write("12");
  fail(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  await assert.rejects(writer.failed, /gone/);
  await assert.rejects(writer.write("34"), /gone/);
  await writer.flush();
});

Deno.test("createLineWriter writes nothing more after a write that failed", async () => {
  let writes = 0;
  const writer = createLineWriter({
    write: () => writes++ === 0 ? Promise.reject(new Error("half of it")) : Promise.resolve(),
    close: () => Promise.resolve(),
  }, 1);
  await assert.rejects(writer.write("12"), /half of it/);
  await assert.rejects(writer.write("34"), /half of it/);
  assert.equal(writes, 1);
});
