// @ts-types="../declarations/colors.d.ts"
import { bold, cyan, green, red } from "@std/fmt/colors";
import { structuredPatch } from "diff";
import { applyEdits, createScanner, type Edit } from "jsonc-parser";
import { type Node, parseSettings } from "./settings_tree.ts";

/** What names a value that nobody should see. */
const SECRET = /key|token|secret|password/i;
const MASK = '"***"';

/**
 * What changes in a settings file, as a unified diff to be read: secrets in it are masked, so it
 * is no patch.
 */
export function showDiff(path: string, before: string, after: string, colors: boolean): string {
  const { hunks } = structuredPatch(path, path, maskSecrets(before), maskSecrets(after));
  const lines = [
    `--- ${path}`,
    `+++ ${path}`,
    ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
      ...lines.map((line) => line.replace(/\r$/, "")),
    ]),
  ];
  return lines.map((line) => `${colors ? paint(line) : line}\n`).join("");
}

/** An empty range is said to begin at the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** Masks every value under a name such as `API_KEY` in JSON with comments, and in its comments. */
export function maskSecrets(text: string): string {
  const body = text.replace(/^\ufeff/, "");
  const root = parseSettings(body);
  const edits = root === undefined ? [] : maskIn(root, false);
  return maskComments(applyEdits(body, edits));
}

function maskIn(node: Node, secret: boolean): Edit[] {
  const { type, offset, length, children = [] } = node;
  if (type === "property") {
    const [key, value] = children;
    return value ? maskIn(value, secret || SECRET.test(String(key?.value))) : [];
  }
  if (type === "object" || type === "array") {
    return children.flatMap((child) => maskIn(child, secret));
  }
  return secret ? [{ offset, length, content: MASK }] : [];
}

/** Comments are often settings that were put out of use. */
function maskComments(text: string): string {
  const scanner = createScanner(text);
  const edits: Edit[] = [];
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const [offset, length] = [scanner.getTokenOffset(), scanner.getTokenLength()];
    const token = text.slice(offset, offset + length);
    if (!token.startsWith("//") && !token.startsWith("/*")) continue;
    const content = token.replaceAll(
      /([\w-]*(?:key|token|secret|password)[\w-]*"?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^\s",}]+)/gi,
      `$1${MASK}`,
    );
    edits.push({ offset, length, content });
  }
  return applyEdits(text, edits);
}

function paint(line: string): string {
  if (/^(---|\+\+\+) /.test(line)) return bold(line);
  if (line.startsWith("+")) return green(line);
  if (line.startsWith("-")) return red(line);
  return line.startsWith("@") ? cyan(line) : line;
}
