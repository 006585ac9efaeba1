/**
 * A value's JSON text (RFC 8259), in parts of whole characters: what is put around a text that is
 * large is not copied together with it.
 */
export type Json = readonly string[];

/** How much of a long text is encoded at once, in characters. */
const PIECE = 64 * 1024;

/** The JSON text of a value; half a surrogate pair, which strict parsers refuse, is U+FFFD. */
export function encodeJson(value: unknown): Json {
  return [stringify(value)];
}

/**
 * The JSON text of a string, as above. To encode a long one piece by piece takes half the memory.
 */
export function encodeText(text: string): Json {
  if (text.length <= PIECE) return encodeJson(text);
  const parts = ['"'];
  for (let start = 0; start < text.length;) {
    const end = start + PIECE;
    const isPairCut = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    const piece = text.slice(start, isPairCut ? end - 1 : end);
    parts.push(stringify(piece).slice(1, -1));
    start += piece.length;
  }
  parts.push('"');
  return parts;
}

/** JSON text with something around it; in one part where it is in one. */
export function wrapJson(before: string, json: Json, after: string): Json {
  const [only = ""] = json;
  return json.length === 1 ? [before + only + after] : [before, ...json, after];
}

function stringify(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[0-9a-f]{3}/g,
    (match) => match === "\\\\" ? match : "\\ufffd",
  );
}
