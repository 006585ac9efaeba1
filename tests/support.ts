import * as v from "valibot";
import { systemClock } from "../lib/clock.ts";
import type { ProgressMode } from "../lib/command_line/options.ts";
import { readConfig } from "../lib/config.ts";
import { createCredentials, type Credentials } from "../lib/credentials.ts";
import type { Files } from "../lib/acp/agent.ts";
import { outputInto } from "../lib/file_bytes.ts";
import { createHistory } from "../lib/history.ts";
import { readLines } from "../lib/jsonl.ts";
import { type LongText, longText } from "../lib/long_text.ts";
import { assertAcp } from "./acp_schema.ts";
import { createLog, type LogLevel } from "../lib/log.ts";
import { type Bridge, serve } from "../lib/serve.ts";
import type { Fetch } from "../lib/service/http.ts";
import type { Limits } from "../lib/service/limits.ts";
import { createThreads } from "../lib/service/threads.ts";
import { createDemo, type DemoOptions, type DemoRequest } from "../lib/service/demo.ts";

/** The limits where nothing else is set. */
export const STANDARD_LIMITS = readConfig({ options: {}, environment: {}, dotenv: {} }).limits;

/** A message that the bridge wrote. */
export const Said = v.looseObject({
  jsonrpc: v.literal("2.0"),
  id: v.optional(v.unknown()),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.string() })),
});
export type Said = v.InferOutput<typeof Said>;

/** The text of an update. */
export const Update = v.object({
  sessionId: v.string(),
  update: v.object({
    sessionUpdate: v.string(),
    messageId: v.string(),
    content: v.object({ type: v.literal("text"), text: v.string() }),
  }),
});

/** An editor that speaks with a bridge of its own in memory. */
export interface Editor {
  bridge: Bridge;
  /** What the bridge wrote so far. */
  said: Said[];
  /** The lines of it. */
  lines: string[];
  /** What the log got. */
  logged: string[];
  /** The requests that the practice service got. */
  requests: Attempt[];
  /** Writes a line as it is, or a message as a line. */
  send(message: string | object): Promise<void>;
  /** Writes bytes as they are. */
  sendBytes(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Sends a request and waits for its response. */
  request(method: string, params?: unknown): Promise<Said>;
  /** Waits for a message. */
  receive(isIt: (said: Said) => boolean): Promise<Said>;
  /** Shakes hands and starts a session; returns its id. */
  open(protocolVersion?: string | number): Promise<string>;
  /** The texts of a session's updates so far. */
  texts(sessionId: string): string[];
  /** Stops reading what the bridge writes. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /** Ends the input and waits for the bridge to finish. */
  end(): Promise<void>;
}

/** A request to the practice service. */
export interface Attempt extends DemoRequest {
  attempt: number;
}

/** What a bridge in memory may be given. */
export type BridgeOptions = Omit<Partial<DemoOptions>, "intercept"> & {
  /** As that of the practice service; `attempt` counts the requests of the same path, from 1. */
  intercept?: (request: Attempt) => Promise<Response | undefined> | Response | undefined;
  apiKey?: string | undefined;
  credentials?: Credentials;
  limits?: Partial<Limits>;
  historyFolder?: string;
  /** When the service's code is loaded; at once where it is not said. */
  loaded?: Promise<void>;
  origin?: string;
  files?: Partial<Files>;
  logLevel?: LogLevel;
  progress?: ProgressMode;
  /** Another service than the practice one. */
  host?: URL;
  fetch?: Fetch;
  fetchOnce?: Fetch;
};

/** A bridge over two streams, served by the practice service. */
export function startBridge(options: BridgeOptions = {}) {
  const clock = options.clock ?? systemClock;
  const requests: Attempt[] = [];
  const demo = createDemo({
    ...options,
    clock,
    intercept(request) {
      const same = ({ method, path }: DemoRequest) =>
        method === request.method && path === request.path;
      const attempt = { ...request, attempt: requests.filter(same).length + 1 };
      requests.push(attempt);
      return options.intercept?.(attempt);
    },
  });
  const input = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const output = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const logged: string[] = [];
  const credentials = options.credentials ?? createCredentials(
    () => Promise.resolve("apiKey" in options ? options.apiKey : "k-0123456789"),
    () => {},
  );
  const log = createLog({
    level: options.logLevel ?? "info",
    write: (line) => logged.push(line),
    secrets: credentials.secrets,
    now: clock.now,
  });
  const threads = createThreads({
    host: options.host ?? new URL("https://service.test/"),
    apiKey: () => credentials.apiKey,
    fetch: options.fetch ?? demo,
    fetchOnce: options.fetchOnce ?? demo,
    clock,
    log,
    random: () => 0.5,
    limits: { ...STANDARD_LIMITS, ...options.limits },
  });
  const bridge = serve({
    input: input.readable,
    output: outputInto(output.writable),
    credentials,
    history: createHistory(options.historyFolder, {
      log,
      now: clock.now,
      limits: { sessions: 500, age: Infinity },
    }),
    files: {
      outDir: "articles",
      anyPath: false,
      cwd: () => "/nonexistent",
      os: Deno.build.os,
      ...options.files,
    },
    origin: options.origin ?? "https://service.test",
    loadThreads: () => options.loaded?.then(() => threads) ?? Promise.resolve(threads),
    clock,
    log,
    progress: options.progress ?? "message",
    version: "9.9.9",
  });
  return {
    bridge,
    input: input.writable,
    output: output.readable,
    logged,
    requests,
  };
}

/** Starts a bridge in memory, and an editor that speaks with it. */
export function startEditor(options: BridgeOptions = {}): Editor {
  const { bridge, input, output, logged, requests } = startBridge(options);
  const writer = input.getWriter();
  const encoder = new TextEncoder();
  const said: Said[] = [];
  const lines: string[] = [];
  /** The methods of the requests that were sent, by their ids. */
  const methods = new Map<string, string>();
  const waiting = new Set<() => void>();
  const listened = listen();
  let lastId = 0;
  let reading = Promise.withResolvers<void>();
  reading.resolve();

  async function listen(): Promise<void> {
    for await (const line of readLines(output)) {
      await reading.promise;
      if (typeof line !== "string") throw line;
      const message = v.parse(Said, JSON.parse(line));
      assertAcp(message, methods.get(JSON.stringify(message.id)), line);
      lines.push(line);
      said.push(message);
      for (const look of waiting) look();
    }
  }

  const editor: Editor = {
    bridge,
    said,
    lines,
    logged,
    requests,
    async send(message) {
      const line = typeof message === "string"
        ? message
        : JSON.stringify({ jsonrpc: "2.0", ...message });
      if (typeof message === "object" && "id" in message && "method" in message) {
        methods.set(JSON.stringify(message.id), String(message.method));
      }
      await writer.write(encoder.encode(line + "\n"));
    },
    sendBytes: (bytes) => writer.write(bytes),
    async request(method, params) {
      const id = `request ${++lastId}`;
      await editor.send({ id, method, ...(params === undefined ? {} : { params }) });
      return await editor.receive((message) => message.id === id);
    },
    receive(isIt) {
      return new Promise((resolve) => {
        let seen = 0;
        function look(): void {
          for (; seen < said.length; seen++) {
            const message = said[seen];
            if (message === undefined || !isIt(message)) continue;
            waiting.delete(look);
            return resolve(message);
          }
        }
        waiting.add(look);
        look();
      });
    },
    async open(protocolVersion = "1.0") {
      await editor.request("initialize", { protocolVersion });
      const { result } = await editor.request("session/new", {});
      return v.parse(v.object({ sessionId: v.string() }), result).sessionId;
    },
    texts(sessionId) {
      return said.flatMap(({ params }) => {
        const update = v.safeParse(Update, params);
        return update.success && update.output.sessionId === sessionId
          ? [update.output.update.content.text]
          : [];
      });
    },
    pause() {
      reading.resolve();
      reading = Promise.withResolvers();
    },
    resume: () => reading.resolve(),
    async end() {
      await writer.close();
      await bridge.finished;
      await listened;
    },
  };
  return editor;
}

/** Chunks as a stream. */
export function streamOf(
  chunks: Iterable<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(chunks);
}

/** All bytes of a text, one a chunk. */
export function* bytewise(text: string): Generator<Uint8Array<ArrayBuffer>> {
  for (const byte of new TextEncoder().encode(text)) yield new Uint8Array([byte]);
}

/** A long text, though it need not be long, of these pieces. */
export function textOf(pieces: readonly string[]): LongText {
  return longText(pieces.join("").length, () => pieces);
}
