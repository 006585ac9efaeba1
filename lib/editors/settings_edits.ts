import { applyEdits, type Edit } from "jsonc-parser";
import { childIndent, indentAt, type Layout, ownIndent } from "./settings_layout.ts";
import { type Node, type Token, tokensBetween } from "./settings_tree.ts";

// The library's own `modify` puts what it adds before a comment that ends the last line, and takes
// the comments between neighbours away: these edits leave every comment where it is.

/**
 * Adds an item at the end of an object or array, below the comments that are there; returns the
 * text. `item` is told how the item is indented, or nothing where all stands on one line.
 */
export function insertItem(
  text: string,
  container: Node,
  layout: Layout,
  item: (indent: string | undefined) => string,
): string {
  const last = container.children?.at(-1);
  const close = endOf(container) - 1;
  const from = last === undefined ? container.offset + 1 : endOf(last);
  const tokens = tokensBetween(text, from, close);
  const comma = tokens.some(isComma);
  const anchor = tokens.at(-1)?.end ?? from;
  const scope = last === undefined ? container.parent?.parent : container;
  const edits: Edit[] = [];
  if (last !== undefined && !comma) edits.push({ offset: from, length: 0, content: "," });
  const trailing = comma ? "," : "";
  let content: string;
  let length = 0;
  if (scope !== undefined && !hasLineBreak(text.slice(scope.offset, endOf(scope)))) {
    content = ` ${item(undefined)}${trailing}${last === undefined ? " " : ""}`;
  } else {
    const indent = childIndent(text, container, layout);
    content = `${layout.lineEnd}${indent}${item(indent)}${trailing}`;
    if (last === undefined && !hasLineBreak(text.slice(anchor, close))) {
      content += layout.lineEnd + indentAt(text, container.offset);
      length = close - anchor;
    }
  }
  edits.push({ offset: anchor, length, content });
  return applyEdits(text, edits);
}

/**
 * Takes an item out of an object or array, with its comma, and with its lines where it stands alone
 * on them; returns the text. The comments around it stay.
 */
export function removeItem(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const item = children[index];
  if (item === undefined) return text;
  const [previous, next] = [children[index - 1], children[index + 1]];
  const close = endOf(container) - 1;
  const end = endOf(item);
  const before = tokensBetween(
    text,
    previous ? endOf(previous) : container.offset + 1,
    item.offset,
  );
  const after = tokensBetween(text, end, next?.offset ?? close);
  if (children.length === 1 && before.length === 0 && after.every(isComma)) {
    const offset = container.offset + 1;
    return applyEdits(text, [{ offset, length: close - offset, content: "" }]);
  }
  const comma = after.find(isComma) ?? before.find(isComma);
  let from = item.offset;
  let to = comma?.start === end ? end + 1 : end;
  const indent = ownIndent(text, from);
  const rest = restOfLine(text, to);
  // The bracket that closes all may come up to the line before, unless a comment would swallow it.
  const closes = next === undefined && rest.startsWith(text.charAt(close)) &&
    before.at(-1)?.text.startsWith("//") !== true;
  if (indent !== undefined && (rest === "" || closes)) {
    from -= indent.length;
    from -= text.slice(0, from).endsWith("\r\n") ? 2 : 1;
  } else if (indent === undefined && previous !== undefined) {
    from = text.slice(0, from).replace(/[ \t]+$/, "").length;
  } else {
    to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  }
  const edits: Edit[] = [{ offset: from, length: to - from, content: "" }];
  if (comma !== undefined && comma.start !== end) {
    edits.push({ offset: comma.start, length: 1, content: "" });
  }
  return applyEdits(text, edits);
}

/** Puts another text in the place of a node's; returns the whole. */
export function replaceNode(text: string, { offset, length }: Node, content: string): string {
  return applyEdits(text, [{ offset, length, content }]);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isComma({ text }: Token): boolean {
  return text === ",";
}

function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** What stands between an offset and the end of its line, without white space around it. */
function restOfLine(text: string, offset: number): string {
  return /^[^\r\n]*/.exec(text.slice(offset))?.[0].trim() ?? "";
}
