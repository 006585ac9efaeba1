import * as z from "zod/mini";
import { lazily } from "./lazily.ts";

const anything = lazily(() => z.optional(z.unknown()));

/**
 * A schema that takes the given value for whatever is missing or does not fit the other one. So does
 * `z.catch`, which brings all of zod's helpers into the bundle: a tenth of what the start loads.
 */
export function orElse<T extends z.core.SomeType>(schema: T, value: z.output<T>) {
  return z.union([schema, z.pipe(anything, z.transform((): z.output<T> => value))]);
}

/** A schema to which whatever does not fit is missing. */
export function orNothing<T extends z.core.SomeType>(schema: T) {
  return orElse(z.optional(schema), undefined);
}
