import assert from "node:assert/strict";
import * as v from "valibot";
import type { RunEvent } from "../../lib/service/events.ts";
import { ContentBlock, type TextChunk } from "../../lib/acp/schema.ts";
import { wholeText } from "../../lib/long_text.ts";
import { isLast, promptText, toUpdate } from "../../lib/acp/updates.ts";
import { textOf } from "../support.ts";

Deno.test("promptText joins the blocks with newlines", () => {
  const text = (text: string) => ({ type: "text", text });
  const link = (uri: string, name?: string | null) => ({ type: "resource_link", uri, name });
  const file = (text: string) => ({ type: "resource", resource: { uri: "file:///a.md", text } });
  const table: [string | object[], string][] = [
    ["hello", "hello"],
    [" kept \n", " kept \n"],
    [[text("one"), text("two\nthree")], "one\ntwo\nthree"],
    [[text("see"), link("file:///a.ts", "a.ts")], "see\n[a.ts](file:///a.ts)"],
    [[link("file:///a.ts", null)], "[file:///a.ts](file:///a.ts)"],
    [[link("file:///a (1).ts", "a]b")], "[a\\]b](<file:///a (1).ts>)"],
    [[text(""), text("x")], "\nx"],
    [[text("read"), file("# A\n"), text("and")], "read\nfile:///a.md\n```\n# A\n```\nand"],
    [[file("no newline")], "file:///a.md\n```\nno newline\n```"],
    [[file("````\n```\n````")], "file:///a.md\n`````\n````\n```\n````\n`````"],
    [[link("file:///a\r\nb", "a\nb")], "[a b](file:///a%0D%0Ab)"],
    [[file("")], "file:///a.md\n```\n\n```"],
    [[file("` ".repeat(200_000))], `file:///a.md\n\`\`\`\n${"` ".repeat(200_000)}\n\`\`\``],
    ["half \ud83e pair", "half \ufffd pair"],
  ];
  for (const [prompt, text] of table) {
    const blocks = typeof prompt === "string"
      ? prompt
      : prompt.map((each) => v.parse(ContentBlock, each));
    assert.equal(promptText(blocks), text);
  }
});

Deno.test("promptText refuses an empty prompt, and blocks that are no text", () => {
  for (const prompt of ["", " \n\t", [], [{ type: "text" as const, text: " " }]]) {
    assert.throws(() => promptText(prompt), {
      fault: "invalidParams",
      message: /"prompt" is empty/,
    });
  }
  const blob = { uri: "file:///a", blob: "AA==" };
  for (const type of ["image", "audio", "resource", "hologram"]) {
    const block = v.parse(ContentBlock, { type, data: "x", resource: blob });
    assert.throws(() => promptText([block]), { fault: "invalidParams", message: new RegExp(type) });
  }
});

Deno.test("toUpdate has the members of the reference, in its order", () => {
  const progress: RunEvent = { event: "progress", progress: { node: "n", status: "s" } };
  const complete: RunEvent = {
    event: "complete",
    data: { result: { instructorState: { explanation: "e" } } },
  };
  const text = (event: RunEvent, kind?: "agent_message_chunk" | "agent_thought_chunk") =>
    toUpdate(event, () => 5, kind);
  assert.equal(
    text(progress, "agent_message_chunk"),
    '{"sessionUpdate":"agent_message_chunk","messageId":"progress_n_5","content":{"type":"text","text":"\\ud83d\\udd04 [n] s\\n"}}',
  );
  const shown = JSON.parse(String(text(progress, "agent_message_chunk")));
  assert.equal(shown.content.text, "🔄 [n] s\n");
  assert.match(
    String(text(progress, "agent_thought_chunk")),
    /^{"sessionUpdate":"agent_thought_chunk"/,
  );
  const odd: RunEvent = { event: "progress", progress: { node: "\\", status: '"\ud83d' } };
  const oddly = JSON.parse(String(text(odd, "agent_message_chunk")));
  assert.equal(oddly.content.text, '🔄 [\\] "\ufffd\n');
  const quoting: RunEvent = { event: "progress", progress: { node: '"', status: "s" } };
  assert.match(String(text(quoting, "agent_message_chunk")), /"messageId":"progress_\\"_5"/);
  assert.equal(text(progress), undefined);
  assert.equal(
    text(complete, "agent_thought_chunk"),
    '{"sessionUpdate":"agent_message_chunk","messageId":"result_5","content":{"type":"text","text":"e"}}',
  );
  assert.equal(text({ event: "connected" }), undefined);
  assert.deepEqual([progress, complete].map(isLast), [false, true]);
});

Deno.test("toUpdate shows a reply whole, however long it is", () => {
  const showing = (event: RunEvent) => wholeText(toUpdate(event, () => 1, undefined) ?? "");
  for (const length of [1, 65_535, 65_536, 200_000]) {
    const text = "“".repeat(length);
    const update: TextChunk = {
      sessionUpdate: "agent_message_chunk",
      messageId: "result_1",
      content: { type: "text", text },
    };
    const data = { result: { instructorState: { explanation: text } } };
    const json = JSON.stringify(update);
    assert.ok(showing({ event: "complete", data }) === json, `${length} characters`);
    const longReply = textOf(text.split("“").map((_, index) => index === 0 ? "" : "“"));
    assert.ok(showing({ event: "complete", data: {}, longReply }) === json, `cut ${length} times`);
  }
});
