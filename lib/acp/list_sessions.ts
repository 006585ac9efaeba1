import type { ListSessionsResponse } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import { BridgeError } from "../errors.ts";
import type { SessionSummary } from "../session_record.ts";
import type { Agent } from "./agent.ts";
import type { ListSessionsParams } from "./schema.ts";

/** How many sessions a page has. */
const PAGE = 50;

/** Where a page begins: behind this session. The editor sees it as Base64, to hand it back. */
const Cursor = v.object({ updatedAt: v.pipe(v.number(), v.finite()), sessionId: v.string() });
type Cursor = v.InferOutput<typeof Cursor>;

/**
 * `session/list`: the sessions of the past, the newest first, page by page
 * (https://agentclientprotocol.com/protocol/v1/session-list).
 */
export async function listSessions(
  agent: Agent,
  params: ListSessionsParams,
): Promise<ListSessionsResponse> {
  const after = params?.cursor ? readCursor(params.cursor) : undefined;
  const sessions = (await agent.history.list())
    .filter(({ origin }) => origin === agent.origin)
    .filter(({ cwd }) => !params?.cwd || cwd === params.cwd)
    .filter((session) => after === undefined || isBehind(session, after));
  const page = sessions.slice(0, PAGE);
  const last = sessions.length > PAGE ? page.at(-1) : undefined;
  return {
    sessions: page.map(({ sessionId, cwd, title, updatedAt }) => ({
      sessionId,
      cwd,
      ...(title === undefined ? {} : { title }),
      updatedAt: new Date(updatedAt).toISOString(),
    })),
    ...(last === undefined ? {} : { nextCursor: writeCursor(last) }),
  };
}

function isBehind({ updatedAt, sessionId }: SessionSummary, after: Cursor): boolean {
  return updatedAt < after.updatedAt ||
    (updatedAt === after.updatedAt && sessionId.localeCompare(after.sessionId) > 0);
}

function writeCursor({ updatedAt, sessionId }: Cursor): string {
  return btoa(JSON.stringify({ updatedAt, sessionId }));
}

function readCursor(text: string): Cursor {
  try {
    return v.parse(Cursor, JSON.parse(atob(text)));
  } catch (cause) {
    throw new BridgeError(
      "invalidParams",
      'Invalid params of session/list: "cursor" is none that was given out',
      { cause },
    );
  }
}
