import { type LongText, longText, wholeText } from "../long_text.ts";

/** The long strings in the JSON of a stream. */
export interface LongStrings {
  /** Decodes a line, which stays as it is; short strings stand in for the long ones in it. */
  decode(line: Uint8Array): string;
  /** Parses the JSON of a frame; a long string that may be shown is not decoded yet. */
  parse(json: string): unknown;
}

/** What a string is long from, in bytes. */
const LONG = 16 * 1024;
/** How much of one is decoded at once, in bytes. */
const PIECE = 16 * 1024;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** The characters for private use (Unicode 23.5), and how many of them make a stand-in. */
const [FIRST_PRIVATE, PRIVATE, STAND_IN] = [0xe000, 6400, 8];
/** The members whose value may be shown. */
const SHOWN = ["explanation", "content", "text"];

/**
 * Makes a decoder of lines that may be long: of the last one of a run most is never shown, and what
 * is shown need not stand in memory as a string. That takes half the time, and a third of the memory.
 *
 * @param mask what is done to a long string's text, in pieces
 * @param limit how many bytes of lines may wait to be parsed; what is more is decoded at once
 */
export function createLongStrings(
  mask: (pieces: Iterable<string>) => Iterator<string>,
  limit: number,
): LongStrings {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** By what stands in for them. */
  const texts = new Map<string, LongText>();
  let waiting = 0;

  function keep(string: Uint8Array): string {
    const id = createStandIn();
    texts.set(id, longText(string.length, () => mask(decodeString(string))));
    waiting += string.length;
    return id;
  }

  function take(id: string): LongText | undefined {
    const text = texts.get(id);
    if (text !== undefined) waiting -= text.length;
    texts.delete(id);
    return text;
  }

  return {
    decode(line) {
      if (waiting + line.length > limit) return decoder.decode(line);
      let decoded = "";
      let start = 0;
      for (const [from, to] of stringsOf(line)) {
        if (to - from < LONG) continue;
        decoded += decoder.decode(line.subarray(start, from)) + keep(line.subarray(from, to));
        start = to;
      }
      return decoded + decoder.decode(line.subarray(start));
    },
    parse(json) {
      if (texts.size === 0) return JSON.parse(json);
      return JSON.parse(json, (key, value: unknown) => {
        const text = typeof value === "string" ? take(value) : undefined;
        if (text === undefined) return value;
        return SHOWN.includes(key) ? text : wholeText(text);
      });
    },
  };
}

/** A string that nothing else is: no key either, for it has characters that no header can carry. */
function createStandIn(): string {
  const random = crypto.getRandomValues(new Uint16Array(STAND_IN));
  return String.fromCharCode(...random.map((each) => FIRST_PRIVATE + each % PRIVATE));
}

/** Where the strings of JSON text begin and end, without their quotes. */
function* stringsOf(json: Uint8Array): Generator<[from: number, to: number]> {
  for (let from = 0; (from = json.indexOf(QUOTE, from) + 1) > 0;) {
    const to = endOfString(json, from);
    if (to < 0) return;
    yield [from, to];
    from = to + 1;
  }
}

/** Where a string ends; less than 0 where it does not. */
function endOfString(json: Uint8Array, from: number): number {
  for (let end = from; (end = json.indexOf(QUOTE, end)) >= 0; end++) {
    let before = end;
    while (json[before - 1] === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/** The text of a JSON string, given without its quotes; what is no JSON in it stands as it is. */
function* decodeString(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let known = "";
  for (let start = 0; start < bytes.length; start += PIECE) {
    const isLast = start + PIECE >= bytes.length;
    known += decoder.decode(bytes.subarray(start, start + PIECE), { stream: !isLast });
    const end = isLast ? known.length : endOfEscapes(known);
    yield unescaped(known.slice(0, end));
    known = known.slice(end);
  }
}

/** Where the last escape sequence begins if it is cut off; the end if none is (RFC 8259 §7). */
function endOfEscapes(text: string): number {
  const last = text.lastIndexOf("\\");
  if (last < 0) return text.length;
  let first = last;
  while (text[first - 1] === "\\") first--;
  if ((last - first) % 2 === 1) return text.length; // the last one is escaped itself
  const length = text[last + 1] === "u" ? 6 : 2;
  return last + length > text.length ? last : text.length;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
