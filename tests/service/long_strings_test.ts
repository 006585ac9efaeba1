import assert from "node:assert/strict";
import fc from "fast-check";
import { isLongText, type LongText, wholeText } from "../../lib/long_text.ts";
import { createLongStrings } from "../../lib/service/long_strings.ts";

const MANY = 20_000;

function open(limit = 10_000_000) {
  return createLongStrings((pieces) => pieces[Symbol.iterator](), limit);
}

/** What is parsed of JSON text. */
function parsed(json: string, strings = open()): unknown {
  return strings.parse(strings.decode(new TextEncoder().encode(json)));
}

/** The long text that a member is. */
function longOf(json: string): LongText {
  const value = parsed(`{"content":${json}}`);
  assert.ok(typeof value === "object" && value !== null && "content" in value);
  const { content } = value;
  assert.ok(isLongText(content));
  return content;
}

Deno.test("createLongStrings leaves long strings that may be shown as they are, and makes them text", () => {
  for (
    const text of [
      "a".repeat(MANY),
      'é“🧠\u2028\u0000\n"\\/\u007f'.repeat(MANY),
      `${"\\".repeat(16_383)}n${'"'.repeat(MANY)}`,
      `x${"\\".repeat(MANY)}`,
      "\ud83e".repeat(MANY),
      `\ufeff${"u".repeat(MANY)}`,
    ]
  ) {
    const long = longOf(JSON.stringify(text));
    assert.ok(wholeText(long) === text, text.slice(0, 9));
    assert.ok(wholeText(long) === text, "once more");
    assert.ok([...long].every((piece) => piece.length <= 16_400));
  }
});

Deno.test("createLongStrings cuts no escape sequence, wherever it stands", () => {
  const escapes = ["\\n", "\\\\", '\\"', "\\u00e9", "\\ud83e\\udde0", "\\\\u00e9", "\\\\\\u00e9"];
  for (const escape of escapes) {
    for (let before = 16_370; before < 16_386; before++) {
      const json = `"${"a".repeat(before)}${escape}${"b".repeat(MANY)}"`;
      assert.ok(wholeText(longOf(json)) === JSON.parse(json), `${escape} after ${before}`);
    }
    const json = `"${escape.repeat(MANY)}"`;
    assert.ok(wholeText(longOf(json)) === JSON.parse(json), `${escape} alone`);
  }
});

Deno.test("createLongStrings parses as JSON.parse does", () => {
  const text = fc.string({ unit: "binary", maxLength: 50 });
  const long = fc.tuple(text, fc.constantFrom(1, 1_000)).map(([each, times]) => each.repeat(times));
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, long, fc.jsonValue(), tie("list"), tie("record")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    record: fc.dictionary(fc.constantFrom("explanation", "content", "a", '"\\'), tie("value")),
  })).value;
  fc.assert(fc.property(value, fc.boolean(), (each, isSpaced) => {
    const json = JSON.stringify(each, null, isSpaced ? 1 : 0);
    assert.equal(JSON.stringify(parsed(json)), JSON.stringify(JSON.parse(json)));
  }));
});

Deno.test("createLongStrings gives a long string that is never shown, and text of lines apart", () => {
  const long = "é".repeat(MANY);
  const strings = open();
  const lines = [`{"name":"${long}",`, `"text":["${long}"`, `,"${long}"]}`];
  const decoded = lines.map((line) => strings.decode(new TextEncoder().encode(line)));
  assert.ok(decoded.every((line) => line.length < 100));
  assert.deepEqual(strings.parse(decoded.join("\n")), { name: long, text: [long, long] });
});

Deno.test("createLongStrings decodes at once what would be too much to wait", () => {
  const strings = open(50_000);
  const line = new TextEncoder().encode(`"${"a".repeat(MANY)}"`);
  const decoded = Array.from({ length: 3 }, () => strings.decode(line));
  assert.deepEqual(decoded.map(({ length }) => length < 100), [true, true, false]);
  for (const each of decoded) assert.equal(strings.parse(each), "a".repeat(MANY));
  assert.ok(strings.decode(line).length < 100);
});

Deno.test("createLongStrings shows what is no JSON as it is, and refuses what is no JSON around it", () => {
  const long = "a".repeat(MANY);
  assert.equal(wholeText(longOf(`"${long}\\x${long}"`)).length, 2 * MANY + 2);
  const invalid = new Uint8Array(MANY).fill(0xff);
  const strings = open();
  const bytes = new Uint8Array([...new TextEncoder().encode('{"name":"'), ...invalid, 0x22, 0x7d]);
  assert.deepEqual(strings.parse(strings.decode(bytes)), { name: "\ufffd".repeat(MANY) });
  for (const json of [`"${long}`, `{"${long}"`, `"${long}" "${long}"`, `"a\n${long}`]) {
    assert.throws(() => parsed(json), SyntaxError);
  }
});
