import { type LongText, longText } from "../long_text.ts";

/** The long strings in the JSON of a stream. */
export interface LongStrings {
  /** Decodes a line, which stays as it is; short strings stand in for the long ones in it. */
  decode(line: Uint8Array): string;
  /** Takes what the strings in a frame's data stand in for, by them; it is forgotten here. */
  take(data: string): ReadonlyMap<string, LongString>;
}

/** A string that is not decoded yet. */
export interface LongString {
  /** In bytes. */
  readonly size: number;
  /** Makes its text. Reading that throws a `SyntaxError` where the string is no JSON. */
  text(): LongText;
  /** How it stands in the JSON, without its quotes. */
  json(): string;
}

/** What a string is long from, in bytes. */
const LONG = 16 * 1024;
/** How much of one is decoded at once, in bytes. */
const PIECE = 16 * 1024;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** The characters for private use (Unicode 23.5), and how many of them make a stand-in. */
const [FIRST_PRIVATE, PRIVATE, STAND_IN] = [0xe000, 6400, 8];
const STAND_INS = /[\ue000-\uf8ff]{8}/g;
/** How a line with data begins, the only one that ends up in a frame. */
const DATA = "data:";
/** What most frames have of long strings. */
const NONE: ReadonlyMap<string, LongString> = new Map();

/**
 * Makes a decoder of the lines of a stream. The last frame of a run may be large: most of it is
 * never shown, and what is shown need not be held as a string. To leave both as bytes takes half
 * the time of a large reply, and a third of the memory.
 *
 * @param mask what is done to the pieces of a long string's text
 * @param limit while lines of so many bytes wait for `take`, others are decoded whole
 */
export function createLongStrings(
  mask: (pieces: Iterable<string>) => Iterable<string>,
  limit: number,
): LongStrings {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** By what stands in for them. */
  const strings = new Map<string, LongString>();
  let waiting = 0;

  function keep(line: Uint8Array, from: number, to: number): string {
    const standIn = createStandIn();
    const bytes = line.subarray(from, to);
    strings.set(standIn, {
      size: bytes.length,
      text() {
        // A small part must not hold the memory of the whole.
        const own = bytes.length < line.length / 4 ? bytes.slice() : bytes;
        return longText(own.length, () => mask(decodeString(own)));
      },
      json: () => decoder.decode(bytes),
    });
    waiting += bytes.length;
    return standIn;
  }

  return {
    decode(line) {
      const isData = decoder.decode(line.subarray(0, DATA.length)) === DATA;
      if (!isData || waiting + line.length > limit) return decoder.decode(line);
      let decoded = "";
      let start = 0;
      for (let from = 0; (from = line.indexOf(QUOTE, from) + 1) > 0;) {
        const to = endOfString(line, from);
        if (to < 0) break;
        if (to - from >= LONG) {
          decoded += decoder.decode(line.subarray(start, from)) + keep(line, from, to);
          start = to;
        }
        from = to + 1;
      }
      return decoded + decoder.decode(line.subarray(start));
    },
    take(data) {
      if (strings.size === 0) return NONE;
      const taken = new Map<string, LongString>();
      for (const [standIn] of data.matchAll(STAND_INS)) {
        const string = strings.get(standIn);
        if (string === undefined) continue;
        taken.set(standIn, string);
        strings.delete(standIn);
        waiting -= string.size;
      }
      return taken;
    },
  };
}

/** The data of a frame with its long strings in their places. */
export function restored(data: string, strings: ReadonlyMap<string, LongString>): string {
  return data.replace(STAND_INS, (standIn) => strings.get(standIn)?.json() ?? standIn);
}

/** A string that nothing else is: no key either, for it has characters that no header can carry. */
function createStandIn(): string {
  const random = crypto.getRandomValues(new Uint16Array(STAND_IN));
  return String.fromCharCode(...random.map((each) => FIRST_PRIVATE + each % PRIVATE));
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

/** The text of a JSON string, given without its quotes, in pieces. */
function* decodeString(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let known = "";
  for (let start = 0; start < bytes.length; start += PIECE) {
    const isLast = start + PIECE >= bytes.length;
    known += decoder.decode(bytes.subarray(start, start + PIECE), { stream: !isLast });
    const end = isLast ? known.length : endOfEscapes(known);
    yield String(JSON.parse(`"${known.slice(0, end)}"`));
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
