import assert from "node:assert/strict";
import { createCredentials } from "../../lib/credentials.ts";
import { createFakeClock } from "../fake_clock.ts";
import { startEditor } from "../support.ts";

const authenticate = { methodId: "api-key" };

Deno.test("initialize offers the login in a terminal only to clients that can run it", async () => {
  const table: [unknown, string[]][] = [
    [null, ["api-key"]],
    [{ auth: null }, ["api-key"]],
    [{ auth: { terminal: "yes" } }, ["api-key"]],
    [{ auth: { terminal: true }, fs: "odd" }, ["api-key", "login"]],
    [{}, ["api-key"]],
    [{ auth: {} }, ["api-key"]],
    [{ auth: { terminal: false } }, ["api-key"]],
    [{ auth: { terminal: true } }, ["api-key", "login"]],
    [{ auth: "odd" }, ["api-key"]],
  ];
  for (const [clientCapabilities, ids] of table) {
    const editor = startEditor();
    const { result } = await editor.request("initialize", {
      protocolVersion: 1,
      clientCapabilities,
    });
    const methods = JSON.parse(JSON.stringify(result)).authMethods;
    assert.deepEqual(methods.map((method: { id: string }) => method.id), ids);
    assert.ok(!("type" in methods[0]), "clients take the first without a look");
    if (methods[1]) assert.deepEqual([methods[1].type, methods[1].args], ["terminal", ["login"]]);
    await editor.end();
  }
});

Deno.test("authenticate answers {} when the service takes the key, and otherwise what to do", async () => {
  const answers = (status: number) => () => new Response(null, { status });
  const page = () => new Response("<html>", { headers: { "Content-Type": "text/html" } });
  const lost = () => Promise.reject(new TypeError("connection reset"));
  const table: [
    string | undefined,
    (() => Response | Promise<Response>) | undefined,
    RegExp | undefined,
  ][] = [
    ["k-9876543210", undefined, undefined], // the practice service has no such route, as the real one
    ["k-9876543210", answers(200), undefined],
    ["k-9876543210", page, /answered with a web page; check that PATBA_HOST/],
    ["k-9876543210", answers(401), /401: it refuses the API key; check PATBA_API_KEY$/],
    ["k-9876543210", lost, /the connection to service\.test was lost$/],
    [undefined, undefined, /^No API key: set PATBA_API_KEY .* run patb-cli-bridge login$/],
  ];
  for (const [apiKey, answer, message] of table) {
    const clock = createFakeClock();
    const editor = startEditor({
      clock,
      apiKey,
      intercept: ({ method, path }) =>
        method === "GET" && path === "/threads" ? answer?.() : undefined,
    });
    await editor.request("initialize", { protocolVersion: 1 });
    const { result, error } = await clock.play(editor.request("authenticate", authenticate));
    if (message === undefined) assert.deepEqual(result, {});
    else assert.deepEqual([error?.code, message.test(error?.message ?? "")], [-32000, true]);
    assert.ok(editor.requests.every(({ method }) => method === "GET"), "no thread is made");
    await editor.end();
  }
});

Deno.test("the key is looked for anew at each session/new, and forgotten by logout", async () => {
  let stored: string | undefined;
  const credentials = createCredentials(
    () => Promise.resolve(stored),
    () => stored = undefined,
  );
  const editor = startEditor({ credentials });
  await editor.request("initialize", { protocolVersion: 1 });
  assert.equal((await editor.request("session/new")).error?.code, -32000);
  stored = "first";
  assert.ok((await editor.request("session/new")).result);
  stored = "second";
  const sessionId = await editor.open(1);
  assert.deepEqual((await editor.request("logout")).result, {});
  const params = { sessionId, prompt: "x" };
  assert.equal((await editor.request("session/prompt", params)).error?.code, -32000);
  const keys = editor.requests.map(({ headers }) => headers.get("X-API-Key"));
  assert.deepEqual(keys, ["first", "second"]);
  await editor.end();
});
