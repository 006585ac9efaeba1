// @ts-types="./declarations/colors.d.ts"
import { stripAnsiCode } from "@std/fmt/colors";

/** Makes text fit for one line: no control characters, and no more than `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = stripAnsiCode(text).replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line.length <= most) return line;
  return `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`; // no half of a pair
}
