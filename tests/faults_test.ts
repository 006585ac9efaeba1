import assert from "node:assert/strict";
import { startEditor } from "./support.ts";
import {
  answer,
  type Fault,
  FRAMES,
  startTcpService,
  type Step,
  STREAM_HEAD,
  write,
} from "./tcp_service.ts";

const until = (stopped: AbortSignal) =>
  new Promise<void>((resolve) => stopped.addEventListener("abort", () => resolve()));
const later = (milliseconds: number, stopped: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stopped.addEventListener("abort", () => resolve(clearTimeout(timer)));
  });
const says = (text: string): Fault => async (connection) => void await write(connection, text);
const page = (status: number, headers = "content-type: text/html") =>
  says(answer(status, "<html><h1>Oops</h1></html>", headers));

/** The bytes of the stream, cut inside the multi-byte character of its last frame. */
const inMidCharacter =
  new TextEncoder().encode(STREAM_HEAD + FRAMES).findIndex((byte) => byte === 0xf0) + 2;

const FAULTS: Record<string, Fault> = {
  "closed before headers": () => {},
  "closed after headers": says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n"),
  "closed in mid-header": says("HTTP/1.1 200 OK\r\ncontent-le"),
  "closed in mid-frame": says(STREAM_HEAD + FRAMES.slice(0, 60)),
  "closed in mid-character": async (connection) => {
    const bytes = new TextEncoder().encode(STREAM_HEAD + FRAMES);
    await connection.write(bytes.subarray(0, inMidCharacter));
  },
  "clean end before complete": says(STREAM_HEAD + FRAMES.slice(0, FRAMES.lastIndexOf("data:"))),
  "empty stream": says(STREAM_HEAD),
  "no HTTP": says("SSH-2.0-OpenSSH_9.6\r\n"),
  "redirect": page(302, "location: https://elsewhere.test/path"),
  "400": page(400),
  "404": page(404),
  "401": says(answer(401, '{"error":"401 Unauthorized"}')),
  "408": page(408),
  "429": page(429, "retry-after: 0"),
  "500": page(500),
  "503": page(503, "retry-after: 0"),
  "HTML": page(200),
  "wrong type": says(answer(200, "[1,2", "content-type: text/plain")),
  "garbage frames": says(`${STREAM_HEAD}data: nonsense\n\ndata: {"event":"?"}\n\n\0\xff\n\n`),
  "never answers": (_, stopped) => until(stopped),
  "answers late": async (connection, stopped) => {
    await later(2000, stopped);
    await says(STREAM_HEAD)(connection, stopped);
  },
  "silent after restart": async (connection, stopped) => {
    await write(connection, STREAM_HEAD + FRAMES.slice(0, FRAMES.indexOf("\n\n") + 2));
    await until(stopped);
  },
};

/** What the editor sees: the turn works, since the step was tried again, or why it does not. */
type Outcome = "works" | RegExp;

const LOST = /the connection to 127\.0\.0\.1:\d+ was lost/;
const UNKNOWN = /whether the prompt was received is not known/;
const NO_TYPE = /no content type instead of an event stream/;
const REDIRECT = /redirects to elsewhere\.test \(302\)/;
const NOT_KNOWN = /404: it does not know/;
const REFUSED = /401 \(401 Unauthorized\): it refuses the API key/;
const GAVE_UP = /Gave up the turn after 4 s/;
const NOT_JSON = /something that is not JSON/;
const LATE = /no answer from 127\.0\.0\.1:\d+ within 0\.8 s/;
const unknown = (cause: RegExp) => new RegExp(`${cause.source}.*${UNKNOWN.source}`);

/** For each fault: at `POST /threads`, at `POST …/runs`, at the stream, and at connecting again. */
const TABLE: Record<keyof typeof FAULTS, [Outcome, Outcome, Outcome, Outcome]> = {
  "closed before headers": ["works", unknown(LOST), "works", "works"],
  "closed after headers": ["works", unknown(LOST), NO_TYPE, NO_TYPE],
  "closed in mid-header": ["works", unknown(LOST), "works", "works"],
  "closed in mid-frame": [NOT_JSON, unknown(NOT_JSON), "works", "works"],
  "closed in mid-character": [NOT_JSON, unknown(NOT_JSON), "works", "works"],
  "clean end before complete": [NOT_JSON, unknown(NOT_JSON), "works", "works"],
  "empty stream": [NOT_JSON, unknown(NOT_JSON), "works", "works"],
  "no HTTP": ["works", unknown(LOST), "works", "works"],
  "redirect": [REDIRECT, REDIRECT, REDIRECT, REDIRECT],
  "400": [/answered 400$/, /answered 400$/, /answered 400$/, /answered 400$/],
  "404": [NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN],
  "401": [REFUSED, REFUSED, REFUSED, REFUSED],
  "408": ["works", unknown(/answered 408/), "works", "works"],
  "429": ["works", "works", "works", "works"],
  "500": ["works", unknown(/answered 500/), "works", "works"],
  "503": ["works", "works", "works", "works"],
  "HTML": [NOT_JSON, unknown(NOT_JSON), /text\/html instead/, /text\/html instead/],
  "wrong type": [NOT_JSON, unknown(NOT_JSON), /text\/plain instead/, /text\/plain instead/],
  "garbage frames": [NOT_JSON, unknown(NOT_JSON), "works", "works"],
  "never answers": ["works", unknown(LATE), "works", "works"],
  "answers late": ["works", unknown(LATE), "works", "works"],
  "silent after restart": ["works", unknown(LATE), GAVE_UP, GAVE_UP],
};

const LIMITS = { request: 800, reattach: 1500, turn: 4000 };
/** Where the fault happens: a step, and which attempt of it. */
const PLACES: [Step, number][] = [["thread", 1], ["run", 1], ["stream", 1], ["stream", 2]];

/** Starts a session and a prompt over real sockets; the answer, and what the service got. */
async function converse(script: (step: Step, attempt: number) => Fault | undefined) {
  await using service = startTcpService(script);
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const editor = startEditor({
    host: service.url,
    fetch,
    fetchOnce: (url, init) => fetch(url, { ...init, client }),
    limits: LIMITS,
  });
  await editor.request("initialize", { protocolVersion: "1.0" });
  let answer = await editor.request("session/new");
  if (answer.result !== undefined) {
    answer = await editor.request("session/prompt", { ...answer.result, prompt: "x" });
  }
  await editor.end();
  const texts = editor.said.filter(({ method }) => method !== undefined).length;
  return { answer, texts, requests: service.requests, logged: editor.logged };
}

for (const [name, outcomes] of Object.entries(TABLE)) {
  Deno.test(`fault: ${name}`, async () => {
    await Promise.all(PLACES.map(async ([step, attempt], index) => {
      const cutBefore = FAULTS["clean end before complete"];
      const { answer, texts, requests } = await converse((at, nth) => {
        if (at !== step || nth > attempt) return undefined;
        return nth === attempt ? FAULTS[name] : cutBefore;
      });
      const outcome = outcomes[index];
      const message = answer.error?.message ?? "";
      if (outcome === "works") {
        assert.deepEqual(answer.result, { stopReason: "end_turn" }, `${step}: ${message}`);
        assert.equal(texts, 2, "one progress, one reply");
      } else {
        assert.equal(answer.error?.code, -32603, step);
        assert.match(message, outcome ?? /$./, step);
        assert.match(message, /^[^\n<]{1,300}$/);
      }
      const runs = requests.filter((request) => request.endsWith("/runs")).length;
      assert.ok(runs <= (outcome === "works" && step === "run" ? 2 : 1), `${runs} runs`);
    }));
  });
}

Deno.test("fault: a stream that is lost on every attempt", async () => {
  const { answer, requests } = await converse((step) =>
    step === "stream" ? says(STREAM_HEAD) : undefined
  );
  assert.match(
    answer.error?.message ?? "",
    /closed the connection; gave up after 1\.5 s of attempts/,
  );
  assert.ok(requests.filter((request) => request.endsWith("/stream")).length >= 3);
});

Deno.test("fault: nobody listens", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const editor = startEditor({
    host: new URL(`http://127.0.0.1:${port}/secret`),
    fetch,
    fetchOnce: fetch,
  });
  await editor.request("initialize", { protocolVersion: "1.0" });
  const { error } = await editor.request("session/new");
  assert.equal(
    error?.message,
    `Cannot create a thread: 127.0.0.1:${port} refused the connection; check PATBA_HOST, and HTTPS_PROXY where a proxy is needed`,
  );
  await editor.end();
});
