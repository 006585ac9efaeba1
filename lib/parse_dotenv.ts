import type { Variables } from "./command_line/options.ts";

/** A variable, its name and value: in quotes, which may have several lines, or up to a comment. */
const ASSIGNMENT =
  /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*(?:(["'`])((?:\\.|(?!\2)[^])*)\2|([^#\n]*))/gm;

/**
 * Reads the text of a `.env` file (https://github.com/motdotla/dotenv#rules).
 *
 * The library `dotenv`, by which the tests judge this, is the only CommonJS module that there would
 * be in the executable: what it takes to load such modules costs 2 % of the start.
 */
export function parseDotenv(text: string): Variables {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const variables: Record<string, string> = {};
  for (const [, name = "", quote, quoted = "", plain = ""] of lines.matchAll(ASSIGNMENT)) {
    if (quote === undefined) variables[name] = plain.trim();
    else variables[name] = quote === '"' ? expand(quoted) : quoted;
  }
  return variables;
}

/** Double quotes alone have line ends in escapes. */
function expand(quoted: string): string {
  return quoted.replace(/\\([nr])/g, (_, letter) => letter === "n" ? "\n" : "\r");
}
