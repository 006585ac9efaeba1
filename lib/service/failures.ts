import { BridgeError, type Fault } from "../errors.ts";
import { oneLine } from "../one_line.ts";
import { redirectTarget, retryAfterOf } from "./answer.ts";

/** What a failure means for whoever may try again. */
export interface FailureTraits {
  fault?: Fault;
  /** The status that the service answered with, if it answered. */
  status?: number;
  /** It may pass by itself: trying again makes sense. */
  passing?: boolean;
  /** The service certainly did nothing that was asked: asking again cannot do it twice. */
  unreceived?: boolean;
  /** The service was not there, so it may come back without knowing its runs. */
  absent?: boolean;
  /** How long the service asks to wait, in milliseconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A request to the service that failed, and what that means for trying again. */
export class ServiceFailure extends BridgeError {
  constructor(message: string, readonly traits: FailureTraits = {}) {
    const { fault = "internal", cause } = traits;
    super(fault, message, { cause });
  }
}

/** The most that is said of a failure to which more is added, in characters. */
const MAX_CAUSE = 180;
/** The most that is said of what an answer says, in characters. */
const MAX_REASON = 120;

/** The key is missing, or is none that a header can carry. */
export function noKey(problem: "missing" | "unusable"): ServiceFailure {
  const message = problem === "missing"
    ? "No API key: set PATBA_API_KEY in the environment that the editor gives this agent or in a .env file, or run patb-cli-bridge login"
    : "The API key cannot be sent: PATBA_API_KEY has characters that no HTTP header can carry; copy it again";
  return new ServiceFailure(message, { fault: "authRequired", unreceived: true });
}

/** The prompt is larger than the service takes; sizes in bytes of the request's body. */
export function tooLarge(size: number, limit: number): ServiceFailure {
  return new ServiceFailure(
    `The prompt is too large: ${size} bytes to send, and the limit is ${limit} (--max-prompt); send less, or attach smaller files`,
    { fault: "invalidParams" },
  );
}

/**
 * The service answered with a status that is not 2xx.
 *
 * @param what what was tried, as in `create a thread`
 * @param reason what the answer says, without the key; it is shown short
 * @param now the time, in milliseconds since the epoch
 */
export function refused(
  what: string,
  host: string,
  response: Response,
  reason: string,
  now: number,
): ServiceFailure {
  const { status } = response;
  const detail = oneLine(reason, MAX_REASON);
  const answered = `Cannot ${what}: ${host} answered ${status}${detail && ` (${detail})`}`;
  if (status >= 300 && status < 400) {
    return new ServiceFailure(
      `Cannot ${what}: ${host} redirects ${
        redirectTarget(response)
      } (${status}); set PATBA_HOST to the address of the service itself`,
      { unreceived: true },
    );
  }
  if (status === 401 || status === 403) {
    return new ServiceFailure(`${answered}: it refuses the API key; check PATBA_API_KEY`, {
      fault: "authRequired",
      unreceived: true,
    });
  }
  if (status === 404) {
    return new ServiceFailure(
      `${answered}: it does not know this thread, run or address; check PATBA_HOST, or start a new session`,
      { status, unreceived: true },
    );
  }
  if (status === 413) {
    return new ServiceFailure(`${answered}: the prompt is too large for the service; send less`, {
      unreceived: true,
    });
  }
  const retryAfter = retryAfterOf(response, now);
  if (status === 429 || status === 503) {
    const when = retryAfter === undefined ? "later" : `in ${Math.ceil(retryAfter / 1000)} s`;
    return new ServiceFailure(`${answered}: it is busy; try again ${when}`, {
      passing: true,
      unreceived: true,
      absent: status === 503,
      retryAfter,
    });
  }
  const passing = status >= 500 || status === 408 || status === 425;
  return new ServiceFailure(answered, {
    passing,
    unreceived: !passing,
    absent: status >= 500,
    retryAfter,
  });
}

/** The answer has a good status but is not what the route promises. */
export function unexpected(what: string, host: string, got: string): ServiceFailure {
  return new ServiceFailure(
    `Cannot ${what}: ${host} answered with ${got}; check that PATBA_HOST is the address of the service`,
  );
}

/** The answer did not come in time. */
export function unanswered(what: string, host: string, milliseconds: number): ServiceFailure {
  return new ServiceFailure(
    `Cannot ${what}: no answer from ${host} within ${milliseconds / 1000} s (--request-timeout)`,
    { passing: true, absent: true },
  );
}

/** The request itself failed: the name, the connection, the certificate, or the answer cut off. */
export function unreachable(what: string, host: string, cause: unknown): ServiceFailure {
  const story = causes(cause);
  if (/\(Connect\)|are blocked/.test(story)) return unconnected(what, host, cause);
  return new ServiceFailure(`Cannot ${what}: ${advice(story, LOST).replace("HOST", host)}`, {
    passing: true,
    absent: true,
    cause,
  });
}

/** There was no connection to make the request by, so that it was certainly not received. */
export function unconnected(what: string, host: string, cause: unknown): ServiceFailure {
  const why = advice(causes(cause), UNCONNECTED).replace("HOST", host);
  return new ServiceFailure(`Cannot ${what}: ${why}`, {
    passing: true,
    unreceived: true,
    absent: true,
    cause,
  });
}

/** The connection to a run's stream ended, cleanly or not, before the run did. */
export function cutOff(host: string, cause?: unknown): ServiceFailure {
  return new ServiceFailure(`Cannot follow the run: ${host} closed the connection`, {
    passing: true,
    cause,
  });
}

/** The stream was silent for so long that its other end may be gone. */
export function silent(host: string, milliseconds: number): ServiceFailure {
  return new ServiceFailure(
    `Cannot follow the run: ${host} was silent for ${milliseconds / 1000} s`,
    { passing: true },
  );
}

/** A frame of the stream is longer than anything that could be shown; `limit` in bytes. */
export function endlessFrame(host: string, limit: number): ServiceFailure {
  return new ServiceFailure(
    `Cannot follow the run: ${host} sent an event of more than ${limit} bytes; start a new session`,
  );
}

/** The request to start a run failed in a way that leaves open whether it was received. */
export function outcomeUnknown(failure: ServiceFailure): ServiceFailure {
  return new ServiceFailure(
    `${
      oneLine(failure.message, MAX_CAUSE)
    }; whether the prompt was received is not known, so it was not sent again`,
    { cause: failure },
  );
}

/** Attempts to reach the run brought nothing for too long; `failure` is the last one's. */
export function gaveUp(failure: ServiceFailure, milliseconds: number): ServiceFailure {
  return new ServiceFailure(
    `${oneLine(failure.message, MAX_CAUSE)}; gave up after ${
      milliseconds / 1000
    } s of attempts (--reattach-timeout)`,
    { cause: failure },
  );
}

/** The service was away, came back, and says nothing of the run. */
export function lost(host: string, milliseconds: number): ServiceFailure {
  return new ServiceFailure(
    `Cannot follow the run: ${host} was unreachable, and nothing was heard of the run for ${
      milliseconds / 1000
    } s since; the service may have restarted and lost it, so send the prompt again`,
  );
}

/** The whole turn took too long. */
export function turnTooLong(milliseconds: number): ServiceFailure {
  return new ServiceFailure(
    `Gave up the turn after ${
      milliseconds / 1000
    } s (--turn-timeout); the service may still be at work on it`,
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
    "the TLS connection to HOST failed; where a company's own certificates are in use, set DENO_CERT to their PEM file, or DENO_TLS_CA_STORE=system",
  ],
  [
    /requests to port \d+ are blocked/i, // https://fetch.spec.whatwg.org/#port-blocking
    "the port of HOST is one that no request may go to; check PATBA_HOST",
  ],
  [
    /\brefused\b/i,
    "HOST refused the connection; check PATBA_HOST, and HTTPS_PROXY where a proxy is needed",
  ],
];
const LOST = "the connection to HOST was lost";
const UNCONNECTED =
  "HOST cannot be reached; check PATBA_HOST, the network, and HTTPS_PROXY if it is set";

/** What a story means, or else `otherwise`. */
function advice(story: string, otherwise: string): string {
  const plain = story.replace(/\bhttps?:\/\/\S+/g, ""); // a host's name explains nothing
  return UNREACHABLE.find(([pattern]) => pattern.test(plain))?.[1] ?? otherwise;
}

/** The messages of something thrown and of its causes: `fetch` hides the reason in the last. */
function causes(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.message} ${causes(thrown.cause)}` : "";
}
