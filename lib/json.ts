import { longText, piecesOf, type Text } from "./long_text.ts";

/** A value's JSON text (RFC 8259), in pieces of whole characters. */
export type Json = Text;

/** The longest text that is encoded at once, in characters. */
const MOST_AT_ONCE = 64 * 1024;

/** The JSON text of a value; half a surrogate pair, which strict parsers refuse, is U+FFFD. */
export function encodeJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[0-9a-f]{3}/g,
    (match) => match === "\\\\" ? match : "\\ufffd",
  );
}

/** The JSON text of a string, as above. A long text is encoded anew each time that it is read. */
export function encodeText(text: Text): Json {
  if (typeof text === "string" && text.length <= MOST_AT_ONCE) return encodeJson(text);
  return longText(text.length, () => encodePieces(text));
}

function* encodePieces(text: Text): Generator<string, undefined> {
  yield '"';
  /** The first half of a pair of surrogates whose second one is yet to come. */
  let half = "";
  for (const piece of piecesOf(text)) {
    const known = half + piece;
    half = /[\ud800-\udbff]$/.exec(known)?.[0] ?? "";
    yield encodeJson(known.slice(0, known.length - half.length)).slice(1, -1);
  }
  yield encodeJson(half).slice(1);
}

/** JSON text with something around it. */
export function wrapJson(before: string, json: Json, after: string): Json {
  if (typeof json === "string") return before + json + after;
  return longText(before.length + json.length + after.length, function* () {
    yield before;
    yield* json;
    yield after;
  });
}
