/** The part of `@std/async`'s `abortable` in use; the package on npm has no declarations. */
export function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T>;
