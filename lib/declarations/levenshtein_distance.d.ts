/** The part of `@std/text`'s `levenshteinDistance` in use; the package on npm has no declarations. */
export function levenshteinDistance(one: string, other: string): number;
