import * as v from "valibot";

/** Params by name, as all of ACP's are (JSON-RPC 2.0 §4.2): no array, which has no members either. */
export function byName<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.unknown(),
    v.check((params) => !Array.isArray(params), "expected object"),
    v.object(entries),
  );
}
