import assert from "node:assert/strict";
import fc from "fast-check";
import { wholeText } from "../../lib/long_text.ts";
import { createLongStrings, restored } from "../../lib/service/long_strings.ts";

const MANY = 20_000;

function open(limit = 10_000_000) {
  return createLongStrings((pieces) => pieces, limit);
}

function decoded(data: string, strings = open()): string {
  return strings.decode(new TextEncoder().encode(`data:${data}`)).slice("data:".length);
}

/** The text of the one long string in JSON. */
function longOf(json: string) {
  const strings = open();
  const [long] = strings.take(decoded(json, strings)).values();
  assert.ok(long !== undefined);
  return long.text();
}

Deno.test("createLongStrings leaves long strings as they are, and makes text of them", () => {
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
    for (const around of ["", "x".repeat(500_000)]) {
      const long = longOf(`[${JSON.stringify(text)}]${around}`);
      assert.ok(wholeText(long) === text, text.slice(0, 9));
      assert.ok(wholeText(long) === text, "once more");
      assert.ok([...long].every((piece) => piece.length <= 16_400));
    }
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

Deno.test("restored gives the data as it was, whatever is long in it", () => {
  const text = fc.string({ unit: "binary", maxLength: 50 });
  const long = fc.tuple(text, fc.constantFrom(1, 1_000)).map(([each, times]) => each.repeat(times));
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, long, fc.jsonValue(), tie("list"), tie("record")),
    list: fc.array(tie("value"), { maxLength: 3 }),
    record: fc.dictionary(fc.oneof(fc.constantFrom("a", '"\\'), long), tie("value")),
  })).value;
  fc.assert(fc.property(value, fc.boolean(), (each, isSpaced) => {
    const json = JSON.stringify(each, null, isSpaced ? 1 : 0);
    const strings = open();
    const short = decoded(json, strings);
    assert.equal(restored(short, strings.take(short)), json);
    assert.equal(strings.take(short).size, 0);
  }));
});

Deno.test("createLongStrings finds the strings of lines that make one frame", () => {
  const long = "é".repeat(MANY);
  const strings = open();
  const lines = [`{"name":"${long}",`, `"${long}":["${long}"`, `,"${long}"]}`];
  const short = lines.map((line) => decoded(line, strings)).join("\n");
  assert.ok(short.length < 200);
  const taken = strings.take(short);
  assert.equal(taken.size, 4);
  assert.equal(restored(short, taken), lines.join("\n"));
});

Deno.test("createLongStrings decodes whole what is no data, and what would be too much to wait", () => {
  const strings = open(50_000);
  const string = `"${"a".repeat(MANY)}"`;
  for (const line of [`: ${string}`, `event: ${string}`, string]) {
    assert.equal(strings.decode(new TextEncoder().encode(line)), line);
  }
  const all = Array.from({ length: 3 }, () => decoded(string, strings));
  assert.deepEqual(all.map(({ length }) => length < 100), [true, true, false]);
  assert.deepEqual(all.map((each) => strings.take(each).size), [1, 1, 0]);
  assert.ok(decoded(string, strings).length < 100);
});

Deno.test("createLongStrings says of a string that is no JSON that it is none, when it is read", () => {
  const long = "a".repeat(MANY);
  for (const bad of ["\\x", "\t", "\u0000"]) {
    assert.throws(() => wholeText(longOf(`"${long}${bad}${long}"`)), SyntaxError);
  }
  assert.equal(decoded(`["${long}`), `["${long}`);
});
