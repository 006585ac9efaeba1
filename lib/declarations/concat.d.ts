/** The part of `@std/bytes`'s `concat` in use; the package on npm has no declarations. */
export function concat(buffers: readonly Uint8Array[]): Uint8Array<ArrayBuffer>;
