import assert from "node:assert/strict";
import * as z from "zod/mini";
import { ContentBlock } from "../../lib/acp/schema.ts";
import { progressUpdate, promptText, replyUpdate } from "../../lib/acp/updates.ts";

Deno.test("promptText joins the blocks with newlines", () => {
  const link = { type: "resource_link", uri: "file:///a.ts", name: "a.ts" };
  const table: [string | object[], string][] = [
    ["hello", "hello"],
    [" kept \n", " kept \n"],
    [[{ type: "text", text: "one" }, { type: "text", text: "two\nthree" }], "one\ntwo\nthree"],
    [[{ type: "text", text: "see" }, link], "see\n[a.ts](file:///a.ts)"],
    [[{ ...link, name: null }], "[file:///a.ts](file:///a.ts)"],
    [[{ type: "text", text: "" }, { type: "text", text: "x" }], "\nx"],
    ["half \ud83e pair", "half \ufffd pair"],
  ];
  for (const [prompt, text] of table) {
    const blocks = typeof prompt === "string"
      ? prompt
      : prompt.map((each) => z.parse(ContentBlock, each));
    assert.equal(promptText(blocks), text);
  }
});

Deno.test("promptText refuses an empty prompt, and blocks that are not text", () => {
  for (const prompt of ["", " \n\t", [], [{ type: "text" as const, text: " " }]]) {
    assert.throws(() => promptText(prompt), {
      fault: "invalidParams",
      message: /"prompt" is empty/,
    });
  }
  for (const type of ["image", "audio", "resource", "hologram"]) {
    const block = z.parse(ContentBlock, { type, data: "x" });
    assert.throws(() => promptText([block]), { fault: "invalidParams", message: new RegExp(type) });
  }
});

Deno.test("progressUpdate and replyUpdate have the members of the reference, in its order", () => {
  const progress = progressUpdate({ node: "n", status: "s", timestamp: undefined }, 5);
  assert.equal(
    JSON.stringify(progress),
    '{"sessionUpdate":"agent_message_chunk","messageId":"progress_n_5","content":{"type":"text","text":"🔄 [n] s\\n"}}',
  );
  const reply = replyUpdate({ result: { instructorState: { explanation: "e" } } }, 6);
  assert.equal(
    JSON.stringify(reply),
    '{"sessionUpdate":"agent_message_chunk","messageId":"result_6","content":{"type":"text","text":"e"}}',
  );
});
