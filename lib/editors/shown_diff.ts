// @ts-types="../declarations/colors.d.ts"
import { bold, cyan, green, red } from "@std/fmt/colors";
import { structuredPatch } from "diff";
import { applyEdits, createScanner, type Edit } from "jsonc-parser";
import { AGENT_NAME } from "./names.ts";
import { type Node, parseSettings } from "./settings_tree.ts";

const MASK = '"***"';
/** What says nothing that others should not see: what an editor starts the agent with. */
const SHOWN = ["type", "command", "args"];
/** An argument that the next one is the secret of, and one that has a secret itself. */
const SECRET_FLAG = /^-.*(key|token|secret|password)$/i;
const SECRET_ARGUMENT = /(key|token|secret|password)\w*=|:\/\/.*@/i;

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

/**
 * Masks the text of settings: others' entries, and this one's variables, may hold secrets under any
 * name, so no string is left but the agent's own command and its arguments.
 */
export function maskSecrets(text: string): string {
  const body = text.replace(/^\ufeff/, "");
  const root = parseSettings(body);
  const edits = root === undefined ? [] : maskIn(root, []);
  return maskComments(applyEdits(body, edits));
}

function maskIn(node: Node, path: string[]): Edit[] {
  const { type, offset, length, children = [] } = node;
  if (type === "property") {
    const [key, value] = children;
    return value ? maskIn(value, [...path, String(key?.value)]) : [];
  }
  const [servers, agent, member = ""] = path;
  const isShown = servers === "agent_servers" && agent === AGENT_NAME && SHOWN.includes(member);
  if (type === "object" || type === "array") {
    return children.flatMap((child, index) =>
      maskIn(child, SECRET_FLAG.test(String(children[index - 1]?.value)) ? [] : path)
    );
  }
  const isSafe = isShown && !SECRET_ARGUMENT.test(String(node.value));
  return type === "string" && !isSafe ? [{ offset, length, content: MASK }] : [];
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
    const content = token.replace(
      /(^\/[/*]|\*\/$|^\s+)|\S.*?(?=\*\/$|$)/gm,
      (_, kept) => kept ?? "…",
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
