import type { RunEvent } from "./events.ts";

/** How much of the progress shown is remembered, in characters; what came together with more is not. */
const MAX_REMEMBERED = 16 * 1024 * 1024;

type ProgressEvent = Extract<RunEvent, { event: "progress" }>;

/** What a run has shown. */
export interface Shown {
  /**
   * Of events that came together on a connection, those that repeat no earlier connection's; may be
   * the very list.
   */
  unseen(events: RunEvent[], connection: number): RunEvent[];
}

/**
 * Remembers the progress of each connection: the same on a later one is a repetition.
 *
 * What a connection brought is kept as one text for all that came together, and keys are made of it
 * only if another connection follows: an object for each event would have to be moved about by the
 * collector, which takes a sixth of the time of a long run. The texts are flat: one that is put
 * together by `+` keeps all of its parts.
 */
export function createShown(): Shown {
  /** What earlier connections brought. */
  let earlier = new Set<string>();
  let latest = 1;
  /** What the latest one brought. */
  let brought: string[] = [];
  /** How much is remembered, of all connections. */
  let size = 0;

  function moveOn(connection: number): void {
    latest = connection;
    earlier = earlier.union(new Set(brought.flatMap((text) => [...keysIn(text)])));
    brought = [];
  }

  function remember(events: readonly RunEvent[]): void {
    const keys = events.flatMap((event) => event.event === "progress" ? [keyOf(event)] : []);
    const text = keys.map((key) => `${key.length}:${key}`).join("");
    if (text === "" || size + text.length > MAX_REMEMBERED) return;
    size += text.length;
    brought.push(text);
  }

  return {
    unseen(events, connection) {
      if (connection !== latest) moveOn(connection);
      // On a first connection, which nearly all are, nothing is looked up or copied.
      const unseen = earlier.size === 0
        ? events
        : events.filter((event) => event.event !== "progress" || !earlier.has(keyOf(event)));
      remember(unseen);
      return unseen;
    },
  };
}

/** What tells a progress from others; its parts may have any characters, so their lengths are in it. */
function keyOf({ progress }: ProgressEvent): string {
  const { node, status, timestamp = "" } = progress;
  return `${node.length}:${status.length}:${node}${status}${timestamp}`;
}

/** The keys in a text, each of which has its length before it. */
function* keysIn(text: string): Generator<string> {
  for (let start = 0, end; start < text.length; start = end) {
    const colon = text.indexOf(":", start);
    end = colon + 1 + Number(text.slice(start, colon));
    yield text.slice(colon + 1, end);
  }
}
