import assert from "node:assert/strict";
import { systemClock } from "../../lib/clock.ts";
import { createLog } from "../../lib/log.ts";
import { wholeText } from "../../lib/long_text.ts";
import { createEventReader } from "../../lib/service/event_reader.ts";
import { replyText } from "../../lib/service/events.ts";
import { createHttp } from "../../lib/service/http.ts";

const silent = createLog({ level: "error", write: () => {}, secrets: [], now: Date.now });

function reader(apiKey?: () => string | undefined) {
  return createEventReader(createHttp({
    host: new URL("http://a.test"),
    apiKey: apiKey ?? (() => undefined),
    clock: systemClock,
    log: silent,
    limits: { request: 1 },
  }));
}

/** What a frame brings, decoded whole and with its long strings left out. */
function bothWays(json: string, apiKey?: string) {
  const line = new TextEncoder().encode(`data:${json}`);
  return [json, undefined].map((whole) => {
    const { decodeLong, takeEvents } = reader(() => apiKey);
    return takeEvents([whole ?? decodeLong(line).slice("data:".length)]).map((event) =>
      event.event === "complete"
        ? [wholeText(event.longReply ?? replyText(event.data)), event.data.artifacts]
        : event
    );
  });
}

Deno.test("takeEvents gives the same of a long frame, however it is decoded", () => {
  const [long, other] = ["é“\n".repeat(9_000), "b".repeat(20_000)];
  const explained = (more: object, explanation: unknown = long) => ({
    event: "complete",
    data: { result: { instructorState: { explanation }, ...more }, ...more },
  });
  const ai = (content: unknown) => ({ type: "ai", content });
  const table: unknown[] = [
    explained({}),
    explained({ messages: [ai(long), ai(other)] }),
    explained({ messages: [ai(long), ai([{ type: "text", text: other }, long])] }, ""),
    explained({ messages: [ai(long)] }, null),
    explained({ error: long }),
    explained({ error: { message: long } }),
    explained({ error: { [long]: other } }),
    explained({ error: "" }),
    explained({ artifacts: [{ name: "a.md", sha256: "0" }] }),
    explained({ artifacts: [{ name: long, sha256: other }] }),
    { event: "complete", data: { result: long } },
    { event: "progress", progress: { node: long, status: other } },
    { event: "artifact", artifact: { name: long } },
    { event: long },
    long,
  ];
  for (const value of table) {
    const json = JSON.stringify(value);
    const [whole, short] = bothWays(json);
    assert.deepEqual(short, whole, json.slice(0, 99));
  }
  const nested = JSON.stringify(explained({ messages: [7] }))
    .replaceAll("7", "[".repeat(20_000) + "]".repeat(20_000));
  const twice = JSON.stringify(explained({})).replaceAll(
    '"explanation":',
    `"explanation":"${other}",$&`,
  );
  for (const json of [nested, twice]) {
    const [whole, short] = bothWays(json);
    assert.ok(whole?.length === 1);
    assert.deepEqual(short, whole);
  }
  for (const bad of ["\\x", "\t"]) {
    assert.deepEqual(bothWays(JSON.stringify(explained({})).replaceAll("\\n", bad)), [[], []]);
  }
});

Deno.test("takeEvents takes the key out, wherever it stands and however long the reply is", () => {
  for (const key of ["the-key", "k", "aba", 'k"\\e', "clé"]) {
    for (const length of [0, 16_384 - 8, 40_000]) { // among them all cuts of a piece of 16 KiB
      for (let before = 0; before < 9; before++) {
        const text = `${"-".repeat(length + before)}${key}--${key}${key}${
          "-".repeat(length)
        }${key}`;
        const data = { result: { instructorState: { explanation: text } } };
        const shown = [[[text.replaceAll(key, "***"), undefined]]];
        const [whole, short] = bothWays(JSON.stringify({ event: "complete", data }), key);
        assert.deepEqual([whole], shown, "whole");
        assert.deepEqual([short], shown, "short");
      }
    }
  }
});

Deno.test("takeEvents takes the key out, however JSON escapes it", () => {
  for (const written of ["the\\u002dkey/", "the-key\\/", "\\u0074he\\u002Dkey\\u002f"]) {
    for (const length of [0, 20_000, 80_000]) {
      const explanation = `${written}${"-".repeat(length)}`;
      const json =
        `{"event":"complete","data":{"result":{"instructorState":{"explanation":"${explanation}"}}}}`;
      const shown = [[`***${"-".repeat(length)}`, undefined]];
      assert.deepEqual(bothWays(json, "the-key/"), [shown, shown]);
      const named = `{"event":"progress","progress":{"node":"${explanation}","status":"s"}}`;
      const event = { event: "progress", progress: { node: shown[0]?.[0], status: "s" } };
      assert.deepEqual(bothWays(named, "the-key/"), [[event], [event]]);
    }
  }
  const broken = '{"event":"progress","progress":{"status":"\\u002d"';
  assert.deepEqual(bothWays(broken, "the-key"), [[], []]);
});

Deno.test("takeEvents takes out the key of when the connection was opened", () => {
  let apiKey: string | undefined = "the-key";
  const { decodeLong, takeEvents } = reader(() => apiKey);
  const data = { result: { instructorState: { explanation: "the-key".repeat(9_000) } } };
  const line = new TextEncoder().encode(`data:${JSON.stringify({ event: "complete", data })}`);
  const [event] = takeEvents([decodeLong(line).slice("data:".length)]);
  apiKey = undefined;
  assert.ok(event?.longReply !== undefined);
  assert.ok(wholeText(event.longReply) === "***".repeat(9_000));
});
