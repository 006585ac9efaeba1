import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { BridgeError } from "../errors.ts";
import { linked } from "../linked.ts";
import type { Log } from "../log.ts";
import { answerReason, bodyText } from "./answer.ts";
import { noKey, refused, ServiceFailure, unanswered, unexpected, unreachable } from "./failures.ts";

/** The part of `fetch` that the bridge needs. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** What a request needs to reach the service. */
export interface HttpOptions {
  /** The service's address; may have a path, under which its routes then stand. */
  host: URL;
  /** Gives the value of `X-API-Key`; without one, a request fails with a message that says so. */
  apiKey: () => string | undefined;
  clock: Clock;
  log: Log;
  limits: {
    /** How long the answer to a request may take, in milliseconds. */
    request: number;
  };
}

/** One request to the service. */
export interface ServiceRequest {
  /** What it is for, as in `create a thread`. */
  what: string;
  fetch: Fetch;
  method: "GET" | "POST";
  /** The parts of the route's path, not encoded. */
  path: readonly string[];
  /** Whether it goes without the key. */
  keyless?: boolean;
  headers?: Record<string, string>;
  /** A `Blob`, for `fetch` may send a body of another kind again by itself (seen on Deno 2.8). */
  body?: Blob;
  signal: AbortSignal;
}

/** Requests to the service. What fails is thrown as a `ServiceFailure`. */
export interface Http {
  /**
   * Sends a request, and returns what `read` makes of its answer, both in the request's time.
   * Anything but a 2xx is thrown as what it means.
   */
  send<T>(
    request: ServiceRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T>;
  /** Sends a request, and reads the JSON of its answer by a schema. */
  json<T extends v.GenericSchema>(request: ServiceRequest, schema: T): Promise<v.InferOutput<T>>;
  /** Takes the key out of what the service said, if it repeats it. */
  withoutKey(text: string): string;
  /** What takes the key of now out of text in pieces, wherever they are cut. */
  keyMask(): (pieces: Iterable<string>) => Iterable<string>;
}

/** The most that is read of an answer that is not an event stream, in bytes. */
const MAX_ANSWER = 1024 * 1024;
/** What an HTTP header can carry (RFC 9110 §5.5). */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** What stands in place of the key. */
const MASK = "***";
/** What JSON escapes of that which a header can carry. */
const ESCAPED = /["\\\t]/;

/** What ends a piece may be the beginning of the key: it waits for the next one. */
function* masked(pieces: Iterable<string>, key: string): Generator<string> {
  let held = "";
  for (const piece of pieces) {
    const text = (held + piece).replaceAll(key, MASK);
    const end = Math.max(0, text.length - key.length + 1);
    yield text.slice(0, end);
    held = text.slice(end);
  }
  yield held;
}

/** Makes requests to the service that the options tell of. */
export function createHttp({ host, apiKey, clock, log, limits }: HttpOptions): Http {
  /** What stands before a route. As text: resolved, a path that begins with "//" would be a host. */
  const prefix = `${host.origin}${host.pathname.replace(/\/+$/, "")}`;

  function url(path: readonly string[]): URL {
    return new URL(`${prefix}/${path.map(encodeURIComponent).join("/")}`);
  }

  function key(): string {
    const value = apiKey();
    if (value === undefined) throw noKey("missing");
    if (!HEADER_VALUE.test(value)) throw noKey("unusable");
    return value;
  }

  function withoutKey(text: string): string {
    const value = apiKey();
    if (value === undefined) return text;
    const without = text.replaceAll(value, MASK);
    if (!ESCAPED.test(value)) return without;
    return without.replaceAll(JSON.stringify(value).slice(1, -1), MASK);
  }

  function keyMask() {
    const value = apiKey();
    return (pieces: Iterable<string>) => value === undefined ? pieces : masked(pieces, value);
  }

  async function send<T>(
    { what, fetch, method, path, keyless, headers, body, signal }: ServiceRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const target = url(path);
    const started = clock.now();
    const allHeaders = keyless ? { ...headers } : { ...headers, "X-API-Key": key() };
    const exchange = linked(signal);
    const init: RequestInit = {
      method,
      headers: allHeaders,
      body: body ?? null,
      signal: exchange.signal,
      // A redirect would take the key to another origin, and may turn a POST into a GET.
      redirect: "manual",
    };
    const unschedule = clock.schedule(
      limits.request,
      () => exchange.abort(unanswered(what, host.host, limits.request)),
    );
    log.debug(() => `→ ${method} ${target.pathname}, ${body?.size ?? 0} bytes`);
    try {
      const response = await fetch(target, init);
      const taken = clock.now() - started;
      log.debug(() => `← ${method} ${target.pathname}: ${response.status} after ${taken} ms`);
      if (response.ok) return await read(response);
      // The status says enough where the body cannot be read.
      const text = await bodyText(response, MAX_ANSWER).catch(() => "");
      throw refused(what, host.host, response, withoutKey(answerReason(text)), clock.now());
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof ServiceFailure) {
        throw new ServiceFailure(withoutKey(thrown.message), thrown.traits);
      }
      if (thrown instanceof BridgeError) throw thrown;
      exchange.signal.throwIfAborted();
      throw unreachable(what, host.host, thrown);
    } finally {
      unschedule();
    }
  }

  return {
    withoutKey,
    keyMask,
    send,
    json: (request, schema) =>
      send(request, async (response) => {
        const text = await bodyText(response, MAX_ANSWER);
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          throw unexpected(request.what, host.host, "something that is not JSON");
        }
        const parsed = v.safeParse(schema, value);
        if (parsed.success) return parsed.output;
        throw unexpected(request.what, host.host, "JSON that is not as expected");
      }),
  };
}
