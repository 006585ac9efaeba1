// @ts-types="../declarations/strip_ansi_code.d.ts"
import { stripAnsiCode } from "@std/fmt/colors";
import { BridgeError } from "../errors.ts";
import { ErrorBody } from "./events.ts";
import * as z from "zod/mini";

/** The longest error message, in characters. */
const MAX_MESSAGE = 300;
/** The most that is read of an answer that is not an event stream, in bytes. */
const MAX_BODY = 1024 * 1024;

/** The key is missing, or is none that a header can carry. */
export function noKey(problem: "missing" | "unusable"): BridgeError {
  return failure(
    "authRequired",
    problem === "missing"
      ? "No API key: set PATBA_API_KEY in the environment that the editor gives this agent, or in a .env file"
      : "The API key cannot be sent: PATBA_API_KEY has characters that no HTTP header can carry; copy it again",
  );
}

/**
 * The service answered with a status that ends the attempt.
 *
 * @param what what was tried, as in `create a thread`
 */
export async function refused(
  what: string,
  host: string,
  response: Response,
): Promise<BridgeError> {
  const { status } = response;
  const tried = `Cannot ${what}: ${host}`;
  const detail = reason(await bodyText(response));
  const answered = `answered ${status}${detail === "" ? "" : ` (${detail})`}`;
  if (status === 401 || status === 403) {
    return failure(
      "authRequired",
      `${tried} ${answered}: it refuses the API key; check PATBA_API_KEY`,
    );
  }
  if (status >= 300 && status < 400) {
    return failure(
      "internal",
      `${tried} redirects ${
        redirectTarget(response)
      } (${status}); set PATBA_HOST to the address of the service itself`,
    );
  }
  if (status === 404) {
    return failure(
      "internal",
      `${tried} ${answered}: it does not know this; check PATBA_HOST, or start a new session`,
    );
  }
  if (status === 413) {
    return failure(
      "invalidParams",
      `${tried} ${answered}: the prompt is too large for the service; send less`,
    );
  }
  if (status === 429 || status === 503) {
    return failure(
      "internal",
      `${tried} ${answered}: it is busy; try again later`,
    );
  }
  return failure("internal", `${tried} ${answered}`);
}

/** The answer has a good status but is not what the route promises. */
export function unexpected(
  what: string,
  host: string,
  got: string,
): BridgeError {
  return failure(
    "internal",
    `Cannot ${what}: ${host} answered with ${got}; check that PATBA_HOST is the address of the service`,
  );
}

/** The request itself failed: the name, the connection, the certificate, or the answer cut off. */
export function unreachable(
  what: string,
  host: string,
  thrown: unknown,
): BridgeError {
  const cause = causes(thrown);
  const [, problem] = UNREACHABLE.find(([pattern]) => pattern.test(cause)) ??
    ["", LOST];
  return failure(
    "internal",
    `Cannot ${what}: ${problem.replace("HOST", host)}`,
    { cause: thrown },
  );
}

/** How a failed `fetch` reads, and what that means; the first that fits. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [
    /dns error|lookup address/i,
    "the name of HOST cannot be found; check PATBA_HOST and the network",
  ],
  [
    /certificate|handshake|\btls\b|\bssl\b/i,
    "the TLS connection to HOST failed; for a company's own certificate set DENO_CERT to its file, or DENO_TLS_CA_STORE=system",
  ],
  [
    /connection refused/i,
    "HOST refused the connection; check PATBA_HOST, and HTTPS_PROXY where a proxy is needed",
  ],
  [/\(Connect\)/, "HOST cannot be reached; check PATBA_HOST and the network"],
];
const LOST = "the connection to HOST was lost; try again";

/** The messages of something thrown and of its causes: `fetch` hides the reason in the last. */
function causes(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.message} ${causes(thrown.cause)}` : "";
}

function failure(
  fault: "authRequired" | "internal" | "invalidParams",
  message: string,
  options?: ErrorOptions,
): BridgeError {
  return new BridgeError(fault, oneLine(message, MAX_MESSAGE), options);
}

/** What an error's body says, if it is one short text; pages of HTML say nothing. */
function reason(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return ""; // not JSON: an HTML page, whose status says all that is readable
  }
  const parsed = z.safeParse(ErrorBody, value);
  return parsed.success ? oneLine(parsed.data, MAX_MESSAGE / 2) : "";
}

function redirectTarget(response: Response): string {
  const location = response.headers.get("location");
  const target = location === null ? null : URL.parse(location, response.url);
  return target === null ? "elsewhere" : `to ${target.host}`;
}

/** Reads a body as text, but not more of it than any honest answer has. */
export async function bodyText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Makes text fit for one line of a message: no control characters, not longer than `most`. */
function oneLine(text: string, most: number): string {
  const line = stripAnsiCode(text).replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
