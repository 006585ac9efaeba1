import { insertItem, removeItem, replaceNode } from "./settings_edits.ts";
import { findLayout, indentAt, type Layout, render } from "./settings_layout.ts";
import {
  findMembers,
  isComment,
  type Member,
  type Node,
  parseSettings,
  SettingsError,
  tokensBetween,
  valueOf,
} from "./settings_tree.ts";

/** What the settings of an editor say of an agent. */
export interface Server {
  /** Zed's word for an agent that is neither of its registry nor of an extension. */
  type?: string;
  command: string;
  args: string[];
}

/** The member that has the agents, in Zed's settings as in JetBrains'. */
const SERVERS = "agent_servers";
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Adds an agent to the text of an editor's settings, or brings the one of that name up to date,
 * whose other members stay. Comments, layout and line ends stay, too. Returns the new text: the
 * very same where all is there already.
 *
 * @throws {SettingsError} where the text is not what such settings are
 */
export function addServer(text: string, name: string, server: Server): string {
  return withoutMark(text, (body) => {
    const root = rootOf(body);
    const layout = findLayout(body, root);
    if (root === undefined) return appendRoot(body, { [SERVERS]: { [name]: server } }, layout);
    const servers = objectIn(body, root, SERVERS);
    if (servers === undefined) return insertMember(body, root, layout, SERVERS, { [name]: server });
    const existing = objectIn(body, servers.value, name);
    if (existing === undefined) return insertMember(body, servers.value, layout, name, server);
    return Object.entries(server).reduce(
      (body, [key, value]) => updateMember(body, name, layout, key, value),
      body,
    );
  });
}

/**
 * Takes the agent of that name out of the text of an editor's settings, and `agent_servers` with
 * it where nothing else is in there; returns the text, the very same where there is no such agent.
 *
 * @throws {SettingsError} where the text is not what such settings are
 */
export function removeServer(text: string, name: string): string {
  return withoutMark(text, (body) => {
    for (;;) {
      const root = rootOf(body);
      const servers = root && objectIn(body, root, SERVERS);
      if (root === undefined || servers === undefined) return body;
      const existing = findMembers(servers.value, name).at(-1);
      if (existing === undefined) return body;
      body = isAlone(body, root, servers.value)
        ? removeItem(body, root, servers.index)
        : removeItem(body, servers.value, existing.index);
    }
  });
}

/** Whether the one entry is all that there is, so that its object has no use without it. */
function isAlone(text: string, root: Node, servers: Node): boolean {
  const [entry, ...others] = servers.children ?? [];
  if (entry === undefined || others.length > 0) return false;
  const end = entry.offset + entry.length;
  return findMembers(root, SERVERS).length === 1 && ![
    ...tokensBetween(text, servers.offset + 1, entry.offset),
    ...tokensBetween(text, end, servers.offset + servers.length - 1),
  ].some(isComment);
}

function withoutMark(text: string, edit: (body: string) => string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + edit(text.slice(1)) : edit(text);
}

function rootOf(text: string): Node | undefined {
  const root = parseSettings(text);
  if (root !== undefined && root.type !== "object") {
    throw new SettingsError(text, root.offset, "the settings are not an object there");
  }
  return root;
}

/** The member of that name that counts, which must be an object if there is one. */
function objectIn(text: string, object: Node, name: string): Member | undefined {
  const member = findMembers(object, name).at(-1);
  if (member !== undefined && member.value.type !== "object") {
    throw new SettingsError(text, member.value.offset, `"${name}" is not an object there`);
  }
  return member;
}

/** Puts the settings below what is there: nothing, or comments. */
function appendRoot(text: string, settings: unknown, layout: Layout): string {
  const above = text.trim() === "" ? "" : text;
  const gap = above === "" || /[\r\n]$/.test(above) ? "" : layout.lineEnd;
  return above + gap + render(settings, layout, "") + layout.lineEnd;
}

function insertMember(
  text: string,
  object: Node,
  layout: Layout,
  key: string,
  value: unknown,
): string {
  return insertItem(
    text,
    object,
    layout,
    (indent) => `${JSON.stringify(key)}: ${render(value, layout, indent)}`,
  );
}

/** Makes one member of the agent's entry have that value. */
function updateMember(
  text: string,
  name: string,
  layout: Layout,
  key: string,
  value: string | string[],
): string {
  const find = (text: string) => {
    const root = rootOf(text);
    const servers = root && objectIn(text, root, SERVERS);
    const entry = servers && objectIn(text, servers.value, name);
    if (entry === undefined) throw new Error("the entry was there before");
    return { entry: entry.value, node: findMembers(entry.value, key).at(-1)?.value };
  };
  const { entry, node } = find(text);
  if (node === undefined) {
    return value.length === 0 ? text : insertMember(text, entry, layout, key, value);
  }
  if (JSON.stringify(valueOf(node)) === JSON.stringify(value)) return text;
  if (!Array.isArray(value) || node.type !== "array" || node.children?.length === 0) {
    const inline = !/[\r\n]/.test(text.slice(entry.offset, entry.offset + entry.length));
    const indent = inline ? undefined : indentAt(text, node.offset);
    return replaceNode(text, node, render(value, layout, indent));
  }
  return updateItems(text, value, layout, (text) => find(text).node);
}

/** Makes an array have those items, one by one, for the sake of the comments between them. */
function updateItems(
  text: string,
  values: string[],
  layout: Layout,
  find: (text: string) => Node | undefined,
): string {
  for (let index = 0;; index++) {
    const array = find(text);
    const count = array?.children?.length ?? 0;
    if (array === undefined || index >= Math.max(count, values.length)) return text;
    const item = array.children?.[index];
    const value = values[index];
    if (value === undefined) text = removeItem(text, array, --index + 1);
    else if (item === undefined) {
      text = insertItem(text, array, layout, () => JSON.stringify(value));
    } else if (valueOf(item) !== value) text = replaceNode(text, item, JSON.stringify(value));
  }
}
