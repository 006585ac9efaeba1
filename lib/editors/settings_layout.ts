import type { Node } from "./settings_tree.ts";

/** How a text is laid out, for what is added to look like its surroundings. */
export interface Layout {
  lineEnd: string;
  /** One step of indentation. */
  indent: string;
}

/** Finds the layout of a text, whose tree it is; two spaces and `\n` where nothing shows it. */
export function findLayout(text: string, root: Node | undefined): Layout {
  return {
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? "\n",
    indent: (root && findIndent(text, root)) ?? "  ",
  };
}

function findIndent(text: string, node: Node): string | undefined {
  const outer = indentAt(text, node.offset);
  for (const child of node.children ?? []) {
    const inner = ownIndent(text, child.offset);
    if (node.type !== "property" && inner?.startsWith(outer) && inner !== outer) {
      return inner.slice(outer.length);
    }
    const deeper = findIndent(text, child);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(beforeInLine(text, offset))?.[0] ?? "";
}

/** The white space between the line's begin and an offset; nothing where more stands there. */
export function ownIndent(text: string, offset: number): string | undefined {
  const before = beforeInLine(text, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

function beforeInLine(text: string, offset: number): string {
  if (offset === 0) return "";
  const lineEnds = ["\n", "\r"].map((lineEnd) => text.lastIndexOf(lineEnd, offset - 1));
  return text.slice(Math.max(...lineEnds) + 1, offset);
}

/** How the children of an object or array are indented, or would be. */
export function childIndent(text: string, container: Node, layout: Layout): string {
  for (const child of container.children?.toReversed() ?? []) {
    const indent = ownIndent(text, child.offset);
    if (indent !== undefined) return indent;
  }
  return indentAt(text, container.offset) + layout.indent;
}

/** A value as JSON: on lines that are indented so, or on one line where there is no indentation. */
export function render(value: unknown, layout: Layout, indent: string | undefined): string {
  return indent === undefined
    ? JSON.stringify(value, null, 1).replaceAll(/\n */g, " ")
    : JSON.stringify(value, null, layout.indent).replaceAll("\n", layout.lineEnd + indent);
}
