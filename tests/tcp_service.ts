/** What a fault does with a connection whose request has been read, in place of an answer. */
export type Fault = (connection: Deno.TcpConn, stopped: AbortSignal) => Promise<void> | void;

/** The steps of a turn on the service. */
export type Step = "thread" | "run" | "stream";

/** A service on a real socket, which does wrong what it is told to. */
export interface TcpService extends AsyncDisposable {
  url: URL;
  /** The requests it got, as `METHOD path`. */
  requests: string[];
}

const encoder = new TextEncoder();

/** Writes text on a connection. */
export function write(connection: Deno.TcpConn, text: string): Promise<number> {
  return connection.write(encoder.encode(text));
}

/** An answer as it stands on the wire, with its length; the connection stays open. */
export function answer(status: number, body: string, headers = "content-type: application/json") {
  return `HTTP/1.1 ${status} X\r\n${headers}\r\ncontent-length: ${
    encoder.encode(body).length
  }\r\n\r\n${body}`;
}

/** The head of an answer whose body goes on until the connection ends. */
export const STREAM_HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

const EVENTS = [
  '{"event":"connected","run_id":"r"}',
  '{"event":"progress","progress":{"node":"n","status":"Run complete","timestamp":"t"}}',
  '{"event":"complete","data":{"result":{"instructorState":{"explanation":"Égalité 🧠"}}}}',
];

/** A whole stream: connected, a progress, complete. */
export const FRAMES = EVENTS.map((event) => `data: ${event}\n\n`).join("");

/** Starts a service; `script` gives the fault for a step's attempt, counted from 1. */
export function startTcpService(
  script: (step: Step, attempt: number) => Fault | undefined,
): TcpService {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const stop = new AbortController();
  const open = new Set<Deno.TcpConn>();
  const requests: string[] = [];
  const attempts = new Map<Step, number>();

  async function serve(connection: Deno.TcpConn): Promise<void> {
    const bytes = new Uint8Array(256 * 1024);
    let text = "";
    while (true) {
      const size = await connection.read(bytes);
      if (size === null) return;
      text += new TextDecoder("latin1").decode(bytes.subarray(0, size));
      const end = text.indexOf("\r\n\r\n");
      const length = Number(text.match(/content-length: (\d+)/i)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) continue;
      const [method = "", path = ""] = text.split(" ");
      text = "";
      requests.push(`${method} ${path}`);
      const step = path.endsWith("/stream") ? "stream" : path.endsWith("/runs") ? "run" : "thread";
      const attempt = (attempts.get(step) ?? 0) + 1;
      attempts.set(step, attempt);
      const fault = script(step, attempt);
      if (fault !== undefined) {
        await fault(connection, stop.signal);
        return;
      }
      if (step === "thread") await write(connection, answer(201, '{"thread_id":"t"}'));
      if (step === "run") await write(connection, answer(202, '{"run_id":"r"}'));
      if (step === "stream") {
        await write(connection, STREAM_HEAD + FRAMES);
        return;
      }
    }
  }

  async function listen(): Promise<void> {
    for await (const connection of listener) {
      open.add(connection);
      serve(connection).catch(() => {}).finally(() => {
        open.delete(connection);
        close(connection);
      });
    }
  }

  const listening = listen();
  return {
    url: new URL(`http://127.0.0.1:${listener.addr.port}`),
    requests,
    async [Symbol.asyncDispose]() {
      stop.abort();
      listener.close();
      for (const connection of open) close(connection);
      await listening;
    },
  };
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // the other side was quicker
  }
}
