// @ts-types="./declarations/abortable.d.ts"
import { abortable } from "@std/async/abortable";
import * as v from "valibot";
import { BridgeError, CODES, toRpcError } from "./errors.ts";
import type { Json } from "./json.ts";
import type { LineWriter } from "./jsonl.ts";
import { wholeText } from "./long_text.ts";
import { describeThrown, type Log } from "./log.ts";
import { parse } from "./parse.ts";
import {
  encodeError,
  encodeNotifications,
  encodeRequest,
  encodeResult,
  type Id,
  IdValue,
  NO_ID,
  parseMessage,
} from "./rpc.ts";

/** One request being served: what its handler may do beyond returning the result. */
export interface Call {
  /** Aborted when the request is cancelled; the handler then throws, or returns a result still. */
  readonly signal: AbortSignal;
  /** Cancels this request. */
  cancel(): void;
  /** Resolves when the answer is out. */
  readonly answered: Promise<void>;
  /**
   * Sends notifications now, in one piece, one for each of the params; resolves when there is room
   * for more. Throws once cancelled, at once.
   */
  notify(method: string, ...params: Json[]): Promise<void>;
  /** Sends the editor a request; resolves with its result, or throws. Throws once cancelled. */
  request(method: string, params: unknown): Promise<unknown>;
  /** Sends notifications in one piece with the answer: nothing stands between them. As above. */
  notifyWithAnswer(method: string, ...params: Json[]): void;
}

/** What is served over a connection. */
export interface Dispatch {
  /** Serves a request: the result, or a throw. Both are called in the order of the lines. */
  request(method: string, params: unknown, call: Call): Promise<unknown>;
  /** Takes a notification; an unknown one is ignored. */
  notification(method: string, params: unknown): Promise<void> | void;
}

/** A JSON-RPC 2.0 connection with the other side: to the bridge the editor, to a client the bridge. */
export interface Connection {
  /** Serves what the lines bring; resolves when they end, all is answered and the output closed. */
  serve(lines: AsyncIterable<string | BridgeError>): Promise<void>;
  /** Sends a request; resolves with its result, or throws: its error, or the signal's reason. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Sends notifications, one for each of the params; resolves when there is room for more. */
  notify(method: string, ...params: Json[]): Promise<void>;
  /** Serves no more, and cancels all requests; resolves when their answers are written. */
  stop(): Promise<void>;
}

/** https://agentclientprotocol.com/protocol/v1/cancellation */
const CancelRequestParams = v.object({ requestId: IdValue });

/** The `error` of a response (JSON-RPC 2.0 §5.1); its message is what matters here. */
const ErrorMember = v.object({ message: v.string() });

/** While more than so many characters wait for the editor, no further line is served. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Makes a connection that answers through the writer. */
export function createConnection(
  writer: LineWriter,
  dispatch: Dispatch,
  log: Log,
): Connection {
  const calls = new Map<Call, Id>();
  const answers = new Set<Promise<void>>();
  let stopped = false;

  async function answer(
    id: Id,
    method: string,
    params: unknown,
  ): Promise<void> {
    /** Made for whoever needs it: to make the first one of a process takes 1 % of its start. */
    let controller: AbortController | undefined;
    const own = () => controller ??= new AbortController();
    const answered = Promise.withResolvers<void>();
    const held: Json[] = [];
    const call: Call = {
      get signal() {
        return own().signal;
      },
      cancel: () => own().abort(),
      answered: answered.promise,
      // Not async: what it is given would be kept while the caller waits for room.
      notify(name, ...notified) {
        call.signal.throwIfAborted(); // the answer may be out already
        const written = write(...encodeNotifications(name, notified));
        return writer.full ? abortable(written, call.signal) : Promise.resolve();
      },
      request: (name, requested) => request(name, requested, call.signal),
      notifyWithAnswer(name, ...notified) {
        call.signal.throwIfAborted();
        held.push(...encodeNotifications(name, notified));
      },
    };
    calls.set(call, id);
    log.debug(() => `request ${id}: ${method}`);
    try {
      const result = await dispatch.request(method, params, call);
      log.debug(() => `request ${id}: answered`);
      send(...held, encodeResult(id, result));
    } catch (thrown) {
      const error = errorOf(thrown, call.signal);
      log.debug(() => `request ${id}: answered with error ${error.code}, ${error.message}`);
      send(encodeError(id, error));
    } finally {
      answered.resolve();
      calls.delete(call);
    }
  }

  /** Our own requests that are not answered yet, by their id. */
  const asked = new Map<Id, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  /** Nothing comes from the editor any more. */
  let ended = false;

  async function request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (ended) throw hungUp();
    signal.throwIfAborted();
    const id = JSON.stringify(`bridge-${++lastId}`);
    const response = Promise.withResolvers<unknown>();
    asked.set(id, response);
    try {
      await write(encodeRequest(id, method, params));
      return await abortable(response.promise, signal);
    } finally {
      asked.delete(id);
    }
  }

  function errorOf(thrown: unknown, signal: AbortSignal) {
    if (signal.aborted) {
      return { code: CODES.requestCancelled, message: "The request was cancelled" };
    }
    if (!(thrown instanceof BridgeError)) log.error(() => describeThrown(thrown));
    return toRpcError(thrown);
  }

  function write(...lines: Json[]): Promise<void> {
    for (const line of lines) log.trace(() => `to the editor: ${wholeText(line)}`);
    return writer.write(...lines);
  }

  /** Queues an answer. Nobody waits for the reader here: that the writer failed ends `serve`. */
  function send(...lines: Json[]): void {
    write(...lines).catch(() => {});
  }

  async function notified(method: string, params: unknown): Promise<void> {
    log.debug(() => `notification: ${method}`);
    if (method !== "$/cancel_request") {
      return await dispatch.notification(method, params);
    }
    const { requestId } = parse(
      CancelRequestParams,
      params,
      "invalidParams",
      `params of ${method}`,
    );
    for (const [call, id] of calls) {
      if (id === requestId) call.cancel();
    }
  }

  function receive(line: string | BridgeError): Promise<void> | undefined {
    if (line instanceof BridgeError) {
      return void send(encodeError(NO_ID, toRpcError(line)));
    }
    log.trace(() => `from the editor: ${line}`);
    const message = parseMessage(line);
    switch (message.kind) {
      case "request":
        return answer(message.id, message.method, message.params);
      case "invalid":
        return void send(encodeError(message.id, toRpcError(message.error)));
      case "response":
        if (message.error) asked.get(message.id)?.reject(errorResponse(message.error));
        else asked.get(message.id)?.resolve(message.result);
        return;
      case "notification":
        notified(message.method, message.params).catch((thrown) => {
          // A notification has no answer, so one that does not fit can only be passed over.
          if (!(thrown instanceof BridgeError)) log.error(() => describeThrown(thrown));
        });
    }
  }

  async function allAnswered(): Promise<void> {
    await Promise.all(answers);
    await writer.flush();
  }

  async function receiveAll(lines: AsyncIterable<string | BridgeError>): Promise<void> {
    for await (const line of lines) {
      if (stopped) return;
      const answer = receive(line);
      if (answer !== undefined) {
        answers.add(answer);
        answer.finally(() => answers.delete(answer));
      }
      if (writer.unread > MOST_UNREAD) await writer.flush();
    }
  }

  return {
    request,
    notify: (method, ...params) => write(...encodeNotifications(method, params)),
    async serve(lines) {
      try {
        await receiveAll(lines);
      } catch (thrown) {
        log.error(() => `the input cannot be read any more: ${describeThrown(thrown)}`);
      }
      ended = true;
      for (const { reject } of asked.values()) reject(hungUp());
      await allAnswered();
      await writer.close();
    },
    async stop() {
      stopped = true;
      for (const call of calls.keys()) call.cancel();
      await allAnswered();
    },
  };
}

/** The other side did not do what it was asked for. */
function errorResponse(error: unknown): BridgeError {
  const message = v.is(ErrorMember, error) ? error.message : JSON.stringify(error);
  return new BridgeError("internal", message);
}

/** The other side will not answer any more. */
function hungUp(): BridgeError {
  return new BridgeError("internal", "The other side has ended the conversation");
}
