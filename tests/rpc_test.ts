import assert from "node:assert/strict";
import { CODES, toRpcError } from "../lib/errors.ts";
import { wholeText } from "../lib/long_text.ts";
import { encodeError, encodeNotifications, encodeResult, parseMessage } from "../lib/rpc.ts";
import { textOf } from "./support.ts";

Deno.test("parseMessage tells requests, notifications and responses apart", () => {
  const table: [string, object][] = [
    ['{"id":1,"method":"m"}', { kind: "request", id: "1", method: "m", params: undefined }],
    ['{"id":null,"method":"m"}', { kind: "request", id: "null", method: "m", params: undefined }],
    ['{"method":"m","params":[1]}', { kind: "notification", method: "m", params: [1] }],
    [
      '{"id":1,"result":null}',
      { kind: "response", id: "1", result: null, error: undefined },
    ],
    [
      '{"id":null,"error":{}}',
      { kind: "response", id: "null", result: undefined, error: {} },
    ],
    ['{"result":{}}', { kind: "response", id: "null", result: {}, error: undefined }],
    ['{"id":[1],"result":1}', { kind: "response", id: "null", result: 1, error: undefined }],
  ];
  for (const [line, message] of table) assert.deepEqual(parseMessage(line), message, line);
});

Deno.test("parseMessage gives ids as they were sent", () => {
  const ids = [
    ...["0", "-5", "1.5", "1.0", "-0", "1e3", "9007199254740993", "-9223372036854775808"],
    ...["18446744073709551615", "1e400", '"7"', '""', '"é\\n"', "null"],
  ];
  for (const id of ids) {
    for (
      const line of [
        `{"jsonrpc":"2.0","id":${id},"method":"m"}`,
        `{"method":"m","params":{"id":5,"text":"\\"id\\": 1.0"}, "id" : ${id} }`,
      ]
    ) {
      const message = parseMessage(line);
      assert.ok(message.kind === "request", line);
      assert.equal(message.id, id);
    }
  }
});

Deno.test("parseMessage says what is wrong, with the id where a good one can be read", () => {
  const table: [string, keyof typeof CODES, string][] = [
    ["", "parse", "null"],
    ["{", "parse", "null"],
    ['{"id":7,"method":', "parse", "null"],
    ["[".repeat(100_000), "parse", "null"],
    ["7", "invalidRequest", "null"],
    ['"text"', "invalidRequest", "null"],
    ["null", "invalidRequest", "null"],
    ["[]", "invalidRequest", "null"],
    ['[{"id":1,"method":"m"}]', "invalidRequest", "null"],
    ["{}", "invalidRequest", "null"],
    ['{"id":1}', "invalidRequest", "1"],
    ['{"id":"a","method":7}', "invalidRequest", '"a"'],
    ['{"id":12345678901234567890,"method":null}', "invalidRequest", "12345678901234567890"],
    ['{"id":{},"method":"m"}', "invalidRequest", "null"],
    ['{"\\u0069d":1e999,"method":"m"}', "invalidRequest", "null"],
    ['{"id":true,"method":"m"}', "invalidRequest", "null"],
    ['{"id":{"rawJSON":"1"},"method":"m"}', "invalidRequest", "null"],
    ['{"id":1,"method":7,"result":1}', "invalidRequest", "1"],
  ];
  for (const [line, fault, id] of table) {
    const message = parseMessage(line);
    assert.ok(message.kind === "invalid", line.slice(0, 50));
    assert.equal(message.id, id, line);
    assert.equal(toRpcError(message.error).code, CODES[fault], line.slice(0, 50));
  }
});

Deno.test("encode writes the members in the order of the specification", () => {
  assert.equal(
    encodeResult("1", { a: "é" }),
    '{"jsonrpc":"2.0","id":1,"result":{"a":"é"}}',
  );
  assert.equal(
    encodeError("null", { code: -32700, message: "no" }),
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
  );
  const lines = encodeNotifications("m", ["[1]", textOf(["{", "}"])]);
  assert.deepEqual(lines.map(wholeText), [
    '{"jsonrpc":"2.0","method":"m","params":[1]}',
    '{"jsonrpc":"2.0","method":"m","params":{}}',
  ]);
});
