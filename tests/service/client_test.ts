import assert from "node:assert/strict";
import { frame } from "../../lib/service/demo.ts";
import { createFakeClock } from "../fake_clock.ts";
import { type BridgeOptions, startEditor } from "../support.ts";

type Answers = (attempt: number) => Response | Promise<Response> | undefined;

const lost = () => Promise.reject(new TypeError("connection reset"));
const refused = () =>
  Promise.reject(
    new TypeError("fetch failed", {
      cause: new Error(
        "error sending request for url (https://service.test/secret): client error (Connect): tcp connect error: Connection refused (os error 111)",
      ),
    }),
  );
const unnamed = () =>
  Promise.reject(new TypeError("client error (Connect): dns error: failed to lookup address"));
const untrusted = () =>
  Promise.reject(new TypeError("client error (Connect): invalid peer certificate: UnknownIssuer"));
const status = (status: number, headers = {}) => new Response("<html>oops", { status, headers });

/** Starts a session and a prompt, with one route's first answers scripted. */
async function converse(path: string, answers: Answers, options: BridgeOptions = {}) {
  const clock = createFakeClock();
  const editor = startEditor({
    ...options,
    clock,
    intercept: (request) => request.path.endsWith(path) ? answers(request.attempt) : undefined,
  });
  const start = clock.now();
  await editor.request("initialize", { protocolVersion: "1.0" });
  let answer = await clock.play(editor.request("session/new"));
  if (answer.result !== undefined && path !== "/threads") {
    const params = { ...answer.result, prompt: "hello" };
    answer = await clock.play(editor.request("session/prompt", params));
  }
  const seconds = (clock.now() - start) / 1000;
  const requests = editor.requests.filter((request) => request.path.endsWith(path));
  await clock.play(editor.end());
  assert.equal(clock.timers, 0);
  return { answer, seconds, requests, message: answer.error?.message ?? "" };
}

Deno.test("createThread is tried again when it failed in passing, three times in all", async () => {
  const table: [Answers, number, number][] = [
    [(attempt) => attempt < 3 ? lost() : undefined, 3, 0.6],
    [(attempt) => attempt < 3 ? refused() : undefined, 3, 0.6],
    [(attempt) => attempt < 2 ? status(500) : undefined, 2, 0.2],
    [(attempt) => attempt < 2 ? status(429, { "retry-after": "3" }) : undefined, 2, 3],
    [(attempt) => attempt < 2 ? status(503, { "retry-after": "3600" }) : undefined, 2, 60],
    [(attempt) => attempt < 2 ? new Promise(() => {}) : undefined, 2, 30.2],
  ];
  for (const [answers, attempts, wait] of table) {
    const { answer, requests, seconds } = await converse("/threads", answers);
    assert.ok(answer.result);
    assert.deepEqual([requests.length, seconds], [attempts, wait]);
  }
  const { answer, requests } = await converse("/threads", () => status(502));
  assert.deepEqual([answer.error?.code, requests.length], [-32603, 3]);
});

Deno.test("createThread says at once what does not pass, and what to do", async () => {
  const table: [Answers, RegExp][] = [
    [() => status(401), /^Cannot create a thread: service\.test answered 401: .*PATBA_API_KEY$/],
    [() => status(404), /404: it does not know .*; check PATBA_HOST/],
    [() => Response.json({ error: "bad\u001b[31m\nthing" }, { status: 400 }), /400 \(bad thing\)$/],
    [
      () => status(307, { location: "https://user:pw@evil.test/x?y" }),
      /to evil\.test \(307\); set/,
    ],
    [() => status(302), /redirects elsewhere \(302\)/],
    [() => new Response("OK"), /answered with something that is not JSON; check that PATBA_HOST/],
    [() => Response.json({}), /answered with JSON that is not as expected/],
    [() => Response.json({ thread_id: ".." }), /not as expected/],
    [() => Response.json({ thread_id: "" }), /not as expected/],
  ];
  for (const [answers, message] of table) {
    const { requests, ...said } = await converse("/threads", answers);
    assert.match(said.message, message);
    assert.ok(said.message.length <= 300);
    assert.deepEqual([requests.length, said.seconds], [1, 0]);
  }
});

Deno.test("createThread says why the service cannot be reached, without its path", async () => {
  const misnamed = () =>
    Promise.reject(
      new TypeError(
        "for https://tls.certificate.test/: client error (Connect): Connection refused",
      ),
    );
  const table: [Answers, RegExp][] = [
    [misnamed, /service\.test refused the connection/],
    [
      () => Promise.reject(new TypeError("Fetch failed: Requests to port 1 are blocked")),
      /^Cannot create a thread: the port of service\.test is one that no request may go to; check/,
    ],
    [refused, /^Cannot create a thread: service\.test refused the connection; check PATBA_HOST/],
    [unnamed, /the name of service\.test cannot be found; check PATBA_HOST/],
    [untrusted, /TLS connection to service\.test failed.*DENO_CERT/],
    [lost, /the connection to service\.test was lost$/],
    [() => new Promise(() => {}), /no answer from service\.test within 30 s \(--request-timeout\)/],
  ];
  for (const [answers, message] of table) {
    const said = await converse("/threads", answers);
    assert.match(said.message, message);
    assert.doesNotMatch(said.message, /secret|https:/);
  }
});

Deno.test("startRun is sent again only when it certainly was not received", async () => {
  const again: [Answers, number][] = [
    [(attempt) => attempt < 3 ? refused() : undefined, 0.6],
    [(attempt) => attempt < 2 ? unnamed() : undefined, 0.2],
    [(attempt) => attempt < 2 ? status(429, { "retry-after": "5" }) : undefined, 5],
    [(attempt) => attempt < 2 ? status(503) : undefined, 0.2],
  ];
  for (const [answers, wait] of again) {
    const { answer, seconds } = await converse("/runs", answers);
    assert.deepEqual(answer.result, { stopReason: "end_turn" });
    assert.equal(seconds, wait);
  }
  for (const answers of [lost, () => status(500), () => status(502), () => status(504)]) {
    const { requests, message } = await converse("/runs", answers);
    assert.equal(requests.length, 1);
    assert.match(
      message,
      /whether the prompt was received is not known, so it was not sent again$/,
    );
  }
  for (const odd of [new Response("OK"), Response.json({ run_id: 5 }, { status: 202 })]) {
    assert.match((await converse("/runs", () => odd)).message, /was received is not known/);
  }
  const late = await converse("/runs", () => new Promise(() => {}));
  assert.match(late.message, /within 30 s.* is not known/);
  const { requests, message } = await converse("/runs", () => status(429));
  assert.equal(requests.length, 3);
  assert.match(message, /429: it is busy; try again later$/);
});

Deno.test("a failure's message stays whole where it matters, however long the rest is", async () => {
  const answers = () => Response.json({ error: "why ".repeat(100) }, { status: 500 });
  const { message } = await converse("/runs", answers, {
    host: new URL(`https://${"long.".repeat(40)}test`),
  });
  assert.ok(message.length <= 300);
  assert.match(message, /^Cannot start the run: long\..*so it was not sent again$/);
});

Deno.test("startRun says what is wrong with the request", async () => {
  const page = () => new Response("<html><h1>Too large</h1>", { status: 413 });
  const large = await converse("/runs", page);
  assert.match(large.message, /^Cannot start the run: service\.test answered 413: .*too large/);
  assert.equal(large.answer.error?.code, -32603);
  const missing = () => Response.json({ error: "Missing parameter" }, { status: 400 });
  assert.match((await converse("/runs", missing)).message, /answered 400 \(Missing parameter\)$/);
});

Deno.test("a prompt that is larger than the service takes is refused before it is sent", async () => {
  const overhead = JSON.stringify({ agentName: "the-brain", prompt: "", wait: false }).length;
  const limit = 102_400;
  const table: [string, number | undefined][] = [
    ["x".repeat(limit - overhead), undefined],
    ["x".repeat(limit - overhead + 1), limit + 1],
    ["é".repeat((limit - overhead) / 2 + 1), limit + 2],
    ["\n".repeat(60_000) + "x", 120_001 + overhead], // two bytes each, in JSON
  ];
  const editor = startEditor();
  const sessionId = await editor.open();
  for (const [prompt, size] of table) {
    const { error } = await editor.request("session/prompt", { sessionId, prompt });
    assert.equal(error?.code, size === undefined ? undefined : -32602);
    if (size !== undefined) {
      assert.match(error?.message ?? "", new RegExp(`${size} bytes.*${limit}`));
    }
  }
  assert.equal(editor.requests.filter(({ path }) => path.endsWith("/runs")).length, 1);
  await editor.end();

  const unlimited = startEditor({ limits: { maxPrompt: 0 } });
  const params = { sessionId: await unlimited.open(), prompt: "x".repeat(limit) };
  const { error } = await unlimited.request("session/prompt", params);
  assert.match(error?.message ?? "", /answered 413/); // the service's own word
  await unlimited.end();
});

Deno.test("a path prefix is no other host, and an answer does not tell the key", async () => {
  const seen: string[] = [];
  const apiKey = "k-9876543210";
  const fetch = (url: URL) => {
    seen.push(url.href);
    return Promise.resolve(Response.json({ error: `bad key ${apiKey}` }, { status: 400 }));
  };
  for (const host of ["https://a.test//b.test/x/", "https://a.test/x", "https://a.test"]) {
    const editor = startEditor({ host: new URL(host), fetch, apiKey });
    await editor.request("initialize", { protocolVersion: "1.0" });
    const { error } = await editor.request("session/new");
    assert.match(error?.message ?? "", /a\.test answered 400 \(bad key \*\*\*\)$/);
    await editor.end();
  }
  const complete = { event: "complete", data: { error: `bad key ${apiKey}` } };
  const editor = startEditor({
    apiKey,
    async *stream() {
      yield frame(complete);
    },
  });
  const sessionId = await editor.open();
  await editor.request("session/prompt", { sessionId, prompt: "x" });
  await editor.end();
  assert.deepEqual(editor.texts(sessionId), ["Error: bad key ***"]);
  assert.deepEqual(seen, [
    "https://a.test//b.test/x/threads",
    "https://a.test/x/threads",
    "https://a.test/threads",
  ]);
});

Deno.test("no part of the key is told, wherever an answer is cut short", async () => {
  const apiKey = "k-9876543210";
  let before = "";
  const editor = startEditor({
    apiKey,
    intercept({ path }) {
      if (path === "/threads") {
        return Response.json({ error: `${before}${apiKey} tail` }, { status: 400 });
      }
    },
  });
  await editor.request("initialize", { protocolVersion: "1.0" });
  for (let length = 100; length <= 125; length++) {
    before = "-".repeat(length);
    const { error } = await editor.request("session/new");
    assert.match(error?.message ?? "", /answered 400 \(-+[^k]*\)$/, `after ${length} characters`);
  }
  await editor.end();
});

Deno.test("requests carry the key, and ids are encoded into paths", async () => {
  const threadId = "a/b?c#d%2e é";
  const { requests } = await converse(
    "/threads",
    () => Response.json({ thread_id: threadId }, { status: 201 }),
    { apiKey: "the key" },
  );
  assert.equal(requests[0]?.headers.get("X-API-Key"), "the key");
  const editor = startEditor({
    intercept: ({ path }) =>
      path === "/threads" ? Response.json({ thread_id: threadId }) : undefined,
  });
  const sessionId = await editor.open();
  const { result } = await editor.request("session/prompt", { sessionId, prompt: "x" });
  assert.deepEqual(result, { stopReason: "end_turn" });
  const encoded = encodeURIComponent(threadId);
  assert.ok(editor.requests.some(({ path }) => path === `/threads/${encoded}/runs`));
  await editor.end();
});
