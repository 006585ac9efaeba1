import * as v from "valibot";

const notAnArray = v.custom<object>((params) => !Array.isArray(params), "expected object");

/** Params by name, as all of ACP's are (JSON-RPC 2.0 §4.2): no array, which has no members either. */
export function byName<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(notAnArray, v.object(entries));
}
