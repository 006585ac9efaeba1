/** The part of `@std/fmt/colors` in use; the package on npm has no declarations. */
export function stripAnsiCode(text: string): string;
export function bold(text: string): string;
export function dim(text: string): string;
export function cyan(text: string): string;
export function green(text: string): string;
export function red(text: string): string;
