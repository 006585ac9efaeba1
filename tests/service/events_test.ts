import assert from "node:assert/strict";
import { parseRunEvent, replyText } from "../../lib/service/events.ts";

Deno.test("parseRunEvent reads the events we know, and makes do with what is missing", () => {
  const complete = (data: unknown) => ({ event: "complete", data });
  const progress = (progress: unknown) => ({ event: "progress", progress });
  const table: [unknown, unknown][] = [
    [{ event: "connected", run_id: "r" }, { event: "connected" }],
    [{ event: "connected" }, { event: "connected" }],
    [
      progress({ threadId: "t", node: "n", status: "s", timestamp: "2026" }),
      progress({ node: "n", status: "s", timestamp: "2026" }),
    ],
    [progress({ status: "s" }), progress({ node: "agent", status: "s" })],
    [
      progress({ node: 7, status: "s", timestamp: 8 }),
      progress({ node: "agent", status: "s", timestamp: undefined }),
    ],
    [progress({ node: "n" }), undefined],
    [progress(null), undefined],
    [{ event: "progress" }, undefined],
    [complete({ error: "e" }), complete({ error: "e" })],
    [complete(null), complete({})],
    [{ event: "complete" }, complete({})],
    [complete({ result: "text" }), complete({ result: undefined })],
    [
      complete({ result: { instructorState: 5, messages: 6 } }),
      complete({ result: { instructorState: undefined, messages: 6 } }),
    ],
    [
      complete({ result: { instructorState: { explanation: 5 } } }),
      complete({ result: { instructorState: { explanation: undefined } } }),
    ],
    [{ event: "something-new" }, undefined],
    [{}, undefined],
    [null, undefined],
    ["text", undefined],
  ];
  for (const [value, event] of table) {
    assert.deepEqual(parseRunEvent(JSON.stringify(value)), event, JSON.stringify(value));
  }
  assert.equal(parseRunEvent("not JSON"), undefined);
});

/** A message as LangChain serialises it. */
function lc(kind: string, content: unknown) {
  return {
    lc: 1,
    type: "constructor",
    id: ["langchain_core", "messages", kind],
    kwargs: { content },
  };
}

Deno.test("replyText shows the first that is there: error, explanation, messages, notice", () => {
  const notice = "Workflow completed successfully.";
  const explained = (explanation: unknown, more = {}) => ({
    result: { instructorState: { explanation }, ...more },
  });
  const messages = (...messages: unknown[]) => ({ result: { messages } });
  const table: [unknown, string][] = [
    [{ error: "overloaded", ...explained("not this") }, "Error: overloaded"],
    [{ error: "two\nlines" }, "Error: two\nlines"],
    [{ error: "\u001b[31mred\u001b[0m\0\r\n\tend\u0085" }, "Error: red\n\tend"],
    [
      { error: "key `_summarizationEvent` missing" },
      "Error: key `_summarizationEvent` missing\n\nThis conversation has become too long for the service. Start a new session.",
    ],
    [{ error: { message: "inner", code: 5 } }, "Error: inner"],
    [{ error: { code: 5 } }, 'Error: {"code":5}'],
    [{ error: true }, "Error: true"],
    [{ error: "", ...explained("this") }, "this"],
    [{ error: null, ...explained("this") }, "this"],
    [explained("the lesson", { messages: [{ type: "ai", content: "older" }] }), "the lesson"],
    [explained(" \n"), " \n"],
    [explained("", { messages: [{ type: "ai", content: "said" }] }), "said"],
    [explained(null, { messages: [{ type: "ai", content: "said" }] }), "said"],
    [messages({ type: "ai", content: "1" }, { type: "ai", content: "2" }), "1\n\n2"],
    [messages(lc("AIMessage", "1"), lc("AIMessageChunk", "2")), "1\n\n2"],
    [
      messages(
        lc("HumanMessage", "h"),
        lc("SystemMessage", "s"),
        lc("ToolMessage", "t"),
        { type: "human", content: "h" },
        { type: "ai" },
        { type: "ai", content: "" },
        lc("AIMessage", ""),
        lc("AIMessage", []),
        null,
        7,
        lc("AIMessage", "said"),
      ),
      "said",
    ],
    [
      messages(lc("AIMessage", [
        { type: "text", text: "a" },
        { type: "tool_use", id: "t", name: "n", input: {} },
        "b",
        { type: "text", text: 5 },
        { type: "text", text: "c" },
      ])),
      "abc",
    ],
    [messages(), notice],
    [{ result: { messages: "none" } }, notice],
    [{ result: {} }, notice],
    [{}, notice],
  ];
  for (const [data, text] of table) {
    const event = parseRunEvent(JSON.stringify({ event: "complete", data }));
    assert.ok(event?.event === "complete");
    assert.equal(replyText(event.data), text, JSON.stringify(data));
  }
});
