import type * as z from "zod/mini";

/** What of a schema is used: it can be parsed by, and be a part of others. */
export type Lazy<T extends z.core.$ZodType> = Pick<T, "_zod" | "~standard">;

/**
 * A schema that is made when it is first used: making all of them takes longer than the rest of the
 * bridge's start. `z.lazy` makes a schema, too, for the one that it stands for, and takes 3 % of it.
 */
export function lazily<T extends z.core.$ZodType>(make: () => T): Lazy<T> {
  let made: T | undefined;
  const schema = () => made ??= make();
  return {
    get _zod() {
      return schema()._zod;
    },
    get "~standard"() {
      return schema()["~standard"];
    },
  };
}
