/**
 * A value's JSON text (RFC 8259), in parts of whole characters: what is put around a text that is
 * large is not copied together with it.
 */
export type Json = readonly string[];

/** The JSON text of a value; half a surrogate pair, which strict parsers refuse, is U+FFFD. */
export function encodeJson(value: unknown): Json {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return [json];
  const wellFormed = json.replace(
    /\\\\|\\ud[0-9a-f]{3}/g,
    (match) => match === "\\\\" ? match : "\\ufffd",
  );
  return [wellFormed];
}
