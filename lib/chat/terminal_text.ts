// @ts-types="../declarations/colors.d.ts"
import { bold, cyan, stripAnsiCode } from "@std/fmt/colors";

/**
 * A text of the agent's for a terminal: no control character in it, which could move the cursor or
 * worse, and its Markdown as it is, in colours.
 */
export function terminalText(text: string): string {
  let fence: string | undefined;
  return plainText(text).split("\n").map((line) => {
    const [, mark] = line.match(/^ {0,3}(`{3,}|~{3,})/) ?? [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    else return cyan(line);
    return mark === undefined ? highlight(line) : cyan(line);
  }).join("\n");
}

/** A text without escape sequences and control characters, but for tabs and newlines. */
export function plainText(text: string): string {
  return stripAnsiCode(text).replace(/\r\n?/g, "\n").replace(
    /[^\P{Cc}\t\n]/gu,
    "\ufffd",
  );
}

/** The colours of a line: headings and what is strong in bold, code in cyan. */
function highlight(line: string): string {
  if (/^ {0,3}#{1,6} /.test(line)) return bold(line);
  return line.replace(
    /(`+)[^`].*?\1|\*\*\S.*?\*\*/g,
    (span) => span.startsWith("`") ? cyan(span) : bold(span),
  );
}
