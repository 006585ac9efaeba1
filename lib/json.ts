/**
 * A value's JSON text (RFC 8259); a large one in parts of whole characters, so that it is not copied
 * when something is put around it.
 */
export type Json = string | readonly string[];

/** How much of a long text is encoded at once, in characters. */
const PIECE = 64 * 1024;

/** The JSON text of a value; half a surrogate pair, which strict parsers refuse, is U+FFFD. */
export function encodeJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[0-9a-f]{3}/g,
    (match) => match === "\\\\" ? match : "\\ufffd",
  );
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
    parts.push(encodeJson(piece).slice(1, -1));
    start += piece.length;
  }
  parts.push('"');
  return parts;
}

/** JSON text with something around it. */
export function wrapJson(before: string, json: Json, after: string): Json {
  return typeof json === "string" ? before + json + after : [before, ...json, after];
}

/** JSON text in one. */
export function joinJson(json: Json): string {
  return typeof json === "string" ? json : json.join("");
}
