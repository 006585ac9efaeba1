import { parseRunEvent, type RunEvent, withLongReply } from "./events.ts";
import type { Http } from "./http.ts";
import { createLongStrings, restored } from "./long_strings.ts";
import { MAX_FRAME } from "./sse.ts";

/** Reads the events of one connection to a run's stream; the key is in none of them. */
export interface EventReader {
  /** Decodes a long line, whose bytes are its own from then on. */
  decodeLong(line: Uint8Array): string;
  /** The events of frames, up to `complete`. */
  takeEvents(frames: string[]): RunEvent[];
}

/** Makes a reader of events. */
export function createEventReader(http: Http): EventReader {
  const longStrings = createLongStrings(http.keyMask(), MAX_FRAME);

  /** The event of a frame; its long strings are decoded only where they are no reply. */
  function readEvent(data: string): RunEvent | undefined {
    const strings = longStrings.take(data);
    const event = parseRunEvent(http.withoutKey(plainly(data)));
    if (strings.size === 0) return event;
    return withLongReply(event, strings) ??
      parseRunEvent(http.withoutKey(plainly(restored(data, strings))));
  }

  return {
    decodeLong: longStrings.decode,
    takeEvents(frames) {
      const events: RunEvent[] = [];
      for (const data of frames) {
        const event = readEvent(data);
        if (event !== undefined) events.push(event);
        if (event?.event === "complete") break;
      }
      return events;
    },
  };
}

/** JSON without needless escapes, behind which the key could hide. */
function plainly(json: string): string {
  if (!json.includes("\\u00") && !json.includes("\\/")) return json;
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json; // it is none, or nested too deep to be written again
  }
}
