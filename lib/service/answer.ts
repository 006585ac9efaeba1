import * as v from "valibot";
import { BridgeError } from "../errors.ts";
import { oneLine } from "../one_line.ts";
import { ErrorBody } from "./events.ts";

/** The longest that the service may ask to wait, in milliseconds. */
const MAX_RETRY_AFTER = 60_000;

/** Reads a body; throws when it has more than `limit` bytes. */
export async function bodyBytes(
  response: Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) throw new BridgeError("internal", `it has more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}

/** Reads a body as text, but not more than `limit` bytes of it: no honest answer is endless. */
export async function bodyText(response: Response, limit: number): Promise<string> {
  // Where it can be: a stream takes a tenth of the time of a short turn.
  if (lengthOf(response) <= limit) return await response.text();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > limit) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/**
 * How long a body is, in bytes; infinite where that is not certain, as it is framed in another way,
 * too (RFC 9112 §6.3), or packed.
 */
function lengthOf({ headers }: Response): number {
  const length = headers.get("content-length") ?? "";
  const isKnown = /^\d+$/.test(length) &&
    !headers.has("transfer-encoding") && !headers.has("content-encoding");
  return isKnown ? Number(length) : Infinity;
}

/**
 * What an error's body says in one line, if it says it in JSON; a page of HTML says no more than its
 * status. It is whole: of a key that was cut short, nobody would know that it is one.
 */
export function answerReason(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "";
  }
  const parsed = v.safeParse(ErrorBody, value);
  return parsed.success ? oneLine(parsed.output, Infinity) : "";
}

/** Where a redirect leads: the host alone, for the rest may hold secrets. */
export function redirectTarget(response: Response): string {
  const location = response.headers.get("location");
  const target = location === null ? null : URL.parse(location, response.url || undefined);
  return target === null ? "elsewhere" : `to ${target.host}`;
}

/** `Retry-After`, seconds or a date, as milliseconds from now (RFC 9110 §10.2.3). */
export function retryAfterOf(response: Response, now: number): number | undefined {
  const value = response.headers.get("retry-after");
  if (value === null) return undefined;
  const isDate = /^[A-Z][a-z]+, /.test(value); // `Date.parse` reads nearly anything as one
  if (!isDate && !/^\d+$/.test(value)) return undefined;
  const wait = isDate ? Date.parse(value) - now : Number(value) * 1000;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}
