/** The part of `@std/yaml`'s `parse` in use; the package on npm has no declarations. */
export function parse(text: string): unknown;
