/** The part of `@std/fmt/colors` in use; the package on npm has no declarations. */
export function stripAnsiCode(text: string): string;
