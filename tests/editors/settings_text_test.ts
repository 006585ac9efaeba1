import assert from "node:assert/strict";
import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { addServer, removeServer, type Server } from "../../lib/editors/settings_text.ts";

const NAME = "The Brain";
const SERVER: Server = { type: "custom", command: "/b", args: [] };
const INLINE = '"The Brain": { "type": "custom", "command": "/b", "args": [] }';

/** The entry on lines of its own, each indented by so many steps more than the entry. */
function entry(depth: number, indent: string, lineEnd = "\n"): string {
  return [
    '"The Brain": {',
    `${indent}"type": "custom",`,
    `${indent}"command": "/b",`,
    `${indent}"args": []`,
    "}",
  ].map((line) => indent.repeat(depth) + line).join(lineEnd);
}

function servers(indent: string, lineEnd = "\n"): string {
  return `${indent}"agent_servers": {${lineEnd}${entry(2, indent, lineEnd)}${lineEnd}${indent}}`;
}

Deno.test("addServer keeps comments, layout and line ends, and removeServer takes it back", () => {
  const table: { title: string; before: string; after: string; removed?: string }[] = [
    { title: "no text", before: "", after: `{\n${servers("  ")}\n}\n`, removed: "{}\n" },
    { title: "white space", before: " \n\n", after: `{\n${servers("  ")}\n}\n`, removed: "{}\n" },
    {
      title: "comments alone",
      before: "// Zed settings\r\n/* none yet */",
      after: `// Zed settings\r\n/* none yet */\r\n{\r\n${servers("  ", "\r\n")}\r\n}\r\n`,
      removed: "// Zed settings\r\n/* none yet */\r\n{}\r\n",
    },
    { title: "an empty object", before: "{}", after: `{\n${servers("  ")}\n}` },
    {
      title: "an object with nothing but a comment",
      before: "{\n    // none yet\n}\n",
      after: `{\n    // none yet\n${servers("  ")}\n}\n`,
    },
    {
      title: "an object on one line with nothing but a comment",
      before: "{ /* none yet */ }",
      after: `{ /* none yet */\n${servers("  ")}\n}`,
      removed: "{ /* none yet */\n}",
    },
    {
      title: "other settings, comments on the last line and below it",
      before: '// all\n{\n    "theme": "One" // dark\n\n    // "vim_mode": true\n}\n',
      after: `// all\n{\n    "theme": "One", // dark\n\n    // "vim_mode": true\n${
        servers("    ")
      }\n}\n`,
    },
    {
      title: "tabs, CRLF, a byte order mark, trailing commas, no final newline",
      before: '\ufeff{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t}, // c\r\n}',
      after: `\ufeff{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t}, // c\r\n${servers("\t", "\r\n")},\r\n}`,
    },
    {
      title: "a last line that closes the object",
      before: '{ "a": 1,\n  "b": 2 }\n',
      after: `{ "a": 1,\n  "b": 2,\n${servers("  ")} }\n`,
    },
    {
      title: "one line",
      before: '{ "a": 1 /* one */ }',
      after: `{ "a": 1, /* one */ "agent_servers": { ${INLINE} } }`,
    },
    {
      title: "one line with a trailing comma",
      before: '{"a":1,}',
      after: `{"a":1, "agent_servers": { ${INLINE} },}`,
    },
    {
      title: "agents, none of them",
      before: '{\n\t"agent_servers": {},\n\t"a": 1\n}\n',
      after: `{\n${servers("\t")},\n\t"a": 1\n}\n`,
      removed: '{\n\t"a": 1\n}\n',
    },
    {
      title: "agents, of which there is a comment",
      before: '{\n  "agent_servers": {\n    // none\n  },\n  "a": 1\n}\n',
      after: `{\n  "agent_servers": {\n    // none\n${entry(2, "  ")}\n  },\n  "a": 1\n}\n`,
    },
    {
      title: "other agents",
      before: '{\n  "agent_servers": {\n    "Other": { "command": "o" } // mine\n  }\n}\n',
      after: `{\n  "agent_servers": {\n    "Other": { "command": "o" }, // mine\n${
        entry(2, "  ")
      }\n  }\n}\n`,
    },
    {
      title: "duplicate members, of which the last one counts",
      before: '{\n  "agent_servers": { "A": {} },\n  "agent_servers": { "B": {} }\n}\n',
      after: `{\n  "agent_servers": { "A": {} },\n  "agent_servers": { "B": {}, ${INLINE} }\n}\n`,
    },
  ];
  for (const { title, before, after, removed = before } of table) {
    assert.equal(addServer(before, NAME, SERVER), after, title);
    assert.equal(addServer(after, NAME, SERVER), after, `${title}: again`);
    assert.equal(removeServer(after, NAME), removed, `${title}: removed`);
  }
});

Deno.test("addServer changes of an entry only what differs", () => {
  const table: [before: string, after: string, server?: Partial<Server>][] = [
    [
      '{ "command": "/old", "env": { "K": "v" } }',
      '{ "command": "/b", "env": { "K": "v" }, "type": "custom" }',
    ],
    ['{ "type": "custom", "command": "/b" }', '{ "type": "custom", "command": "/b" }'],
    ['{ "type": "registry" }', '{ "type": "custom", "command": "/b" }'],
    [
      '{ "type": "custom", "command": "/b", "args": ["x"] }',
      '{ "type": "custom", "command": "/b", "args": [] }',
    ],
    [
      '{ "type": "custom", "command": "/b", "args": [\n  "x", // one\n  "y" // two\n] }',
      '{ "type": "custom", "command": "/b", "args": [\n  "z" // one\n  // two\n] }',
      { args: ["z"] },
    ],
    [
      '{ "type": "custom", "command": "/b", "args": ["x"] }',
      '{ "type": "custom", "command": "/b", "args": ["x", "y"] }',
      { args: ["x", "y"] },
    ],
    [
      '{ "type": "custom", "command": 1, "args": "x" }',
      '{ "type": "custom", "command": "/b", "args": [ "x" ] }',
      { args: ["x"] },
    ],
    [
      '{\n  "command": "/b",\n  // none\n  "args": [],\n}',
      '{\n  "command": "/b",\n  // none\n  "args": [],\n  "type": "custom",\n}',
    ],
    [
      '{ "command": "/1", "command": "/2", "type": "custom" }',
      '{ "command": "/1", "command": "/b", "type": "custom" }',
    ],
  ];
  for (const [before, after, server = {}] of table) {
    const whole = (entry: string) => `{"agent_servers":{"The Brain":${entry}}}`;
    assert.equal(addServer(whole(before), NAME, { ...SERVER, ...server }), whole(after));
  }
});

Deno.test("removeServer takes out nothing else, wherever the entry stands", () => {
  const table: [title: string, before: string, after: string][] = [
    ["nothing there", "", ""],
    ["no agents", '{ "a": 1 }', '{ "a": 1 }'],
    ["another agent", '{"agent_servers":{"O":{}}}', '{"agent_servers":{"O":{}}}'],
    [
      "first of its lines",
      '{\n  "agent_servers": {\n    "The Brain": {\n    }, // it\n    "O": {}\n  }\n}',
      '{\n  "agent_servers": {\n    // it\n    "O": {}\n  }\n}',
    ],
    [
      "in the middle",
      '{\n  "agent_servers": {\n    "A": {},\n    // it\n    "The Brain": {},\n    "B": {}\n  }\n}',
      '{\n  "agent_servers": {\n    "A": {},\n    // it\n    "B": {}\n  }\n}',
    ],
    [
      "first of one line",
      '{"agent_servers":{ "The Brain": {}, "O": {} }}',
      '{"agent_servers":{ "O": {} }}',
    ],
    [
      "in the middle of one line",
      '{"agent_servers":{ "A": {}, "The Brain": {} , "O": {} }}',
      '{"agent_servers":{ "A": {},  "O": {} }}',
    ],
    [
      "below a comment that must not swallow the bracket",
      '{"agent_servers":{\n  "A": {}, // a\n  "The Brain": {} }}',
      '{"agent_servers":{\n  "A": {} // a\n  }}',
    ],
    ["alone", '{ "a": 1, "agent_servers": { "The Brain": {} } }', '{ "a": 1 }'],
    [
      "twice",
      '{"agent_servers":{ "The Brain": {}, "O": {}, "The Brain": {} }}',
      '{"agent_servers":{ "O": {} }}',
    ],
  ];
  for (const [title, before, after] of table) {
    assert.equal(removeServer(before, NAME), after, title);
  }
});

Deno.test("addServer and removeServer say where the text is not what it should be", () => {
  const table: [string, RegExp][] = [
    ["[]", /^line 1, column 1: the settings are not an object there$/],
    ['\ufeff{ "a" 1 }', /^line 1, column 7: .* \(colon expected\)$/],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', /^line 3, column 3: .* \(comma expected\)$/],
    ['{ "a": 1', /^line 1, column 9: .* \(close brace expected\)$/],
    ["{} {}", /^line 1, column 4: .* \(end of file expected\)$/],
    ['{ "a": 01 /* ', /^line 1, column /],
    [
      '{\n  "agent_servers": null\n}',
      /^line 2, column 20: "agent_servers" is not an object there$/,
    ],
  ];
  for (const [text, message] of table) {
    assert.throws(() => addServer(text, NAME, SERVER), { name: "SettingsError", message });
    assert.throws(() => removeServer(text, NAME), { name: "SettingsError", message });
  }
  const entry = '{"agent_servers":{"The Brain":"/b"}}';
  assert.throws(() => addServer(entry, NAME, SERVER), { name: "SettingsError" });
  assert.equal(removeServer(entry, NAME), "{}");
});

/** White space and comments between tokens; a line comment ends its line. */
const gap = fc.array(
  fc.constantFrom(" ", "  ", "\t", "\n", "\r\n", "\n  ", "\n\t", "/* c */", "/*\n d\n*/", "// e\n"),
  { maxLength: 3 },
).map((pieces) => pieces.join(""));

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("1", "true", "null", '"x // y"', '"/* z */"', '"\\""', '"é"'),
    tie("object"),
    tie("array"),
  ),
  object: objectOf(fc.constantFrom("a", "b", "agent_servers", "c"), tie("value")),
  array: fc.tuple(gap, fc.array(fc.tuple(tie("value"), gap), { maxLength: 3 }), fc.boolean(), gap)
    .map(([open, items, trailing, close]) =>
      `[${open}${items.map(([item, after]) => item + after).join(",")}${
        trailing && items.length > 0 ? "," : ""
      }${close}]`
    ),
}));

function objectOf(keys: fc.Arbitrary<string>, values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(gap, keys, gap, gap, values, gap);
  return fc.tuple(
    fc.uniqueArray(member, { maxLength: 4, selector: ([, key]) => key }),
    fc.boolean(),
    gap,
  ).map(([members, trailing, close]) => {
    const texts = members.map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`);
    return `{${texts.join(",")}${trailing && texts.length > 0 ? "," : ""}${close}}`;
  });
}

/** Settings whose `agent_servers`, if they have any, is an object. */
const settings = fc.record({
  mark: fc.constantFrom("", "\ufeff"),
  before: gap,
  others: fc.array(fc.tuple(gap, fc.constantFrom("a", "b"), gap, value, gap), { maxLength: 2 }),
  agents: fc.option(fc.tuple(gap, objectOf(fc.constantFrom("O", "P"), value), gap)),
  last: fc.boolean(),
  trailing: fc.boolean(),
  inside: gap,
  after: gap,
}).map(({ mark, before, others, agents, last, trailing, inside, after }) => {
  const members = others.map(([a, key, b, value, c]) => `${a}"${key}":${b}${value}${c}`);
  const own = agents === null ? [] : [`${agents[0]}"agent_servers": ${agents[1]}${agents[2]}`];
  const all = last ? [...members, ...own] : [...own, ...members];
  const comma = trailing && all.length > 0 ? "," : "";
  return `${mark}${before}{${all.join(",")}${comma}${inside}}${after}`;
});

const server = fc.record({
  command: fc.string(),
  args: fc.array(fc.string(), { maxLength: 3 }),
}).map((server): Server => ({ type: "custom", ...server }));

function read(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const body = text.replace(/^\ufeff/, "");
  const value: unknown = parse(body, errors, { allowTrailingComma: true });
  assert.deepEqual(errors, []);
  assert.ok(typeof value === "object" && value !== null);
  return { ...value };
}

/** The comments of a text, none of which look like anything else in what is made here. */
function comments(text: string): string[] {
  return [...text.matchAll(/\/\* c \*\/|\/\*\n d\n\*\/|\/\/ e/g)].map(([comment]) => comment);
}

Deno.test("addServer adds the entry and leaves all else, comments too", () => {
  fc.assert(
    fc.property(settings, server, (text, server) => {
      const added = addServer(text, NAME, server);
      const { agent_servers, ...others } = read(added);
      const { agent_servers: agents = {}, ...before } = read(text);
      assert.ok(typeof agents === "object" && agents !== null);
      assert.deepEqual(others, before);
      assert.deepEqual(agent_servers, { ...agents, [NAME]: server });
      assert.deepEqual(comments(added), comments(text));
      assert.equal(addServer(added, NAME, server), added);
      const removed = removeServer(added, NAME);
      assert.deepEqual(comments(removed), comments(text));
      if (Object.keys(agents).length > 0) assert.equal(removed, text);
    }),
    { numRuns: 500 },
  );
});

Deno.test("addServer brings an entry up to date, and leaves all else", () => {
  fc.assert(
    fc.property(settings, server, server, (text, first, second) => {
      const added = addServer(text, NAME, first);
      const updated = addServer(added, NAME, second);
      assert.deepEqual(read(updated), read(addServer(text, NAME, second)));
      assert.deepEqual(comments(updated), comments(text));
    }),
    { numRuns: 200 },
  );
});
