/** A value's JSON text (RFC 8259). */
export type Json = string;

/** The JSON text of a value; half a surrogate pair, which strict parsers refuse, is U+FFFD. */
export function encodeJson(value: unknown): Json {
  const json = JSON.stringify(value);
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[0-9a-f]{3}/g,
    (match) => match === "\\\\" ? match : "\\ufffd",
  );
}
