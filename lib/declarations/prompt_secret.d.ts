/** The part of `@std/cli`'s `promptSecret` in use; the package on npm has no declarations. */
export function promptSecret(message: string): string | null;
