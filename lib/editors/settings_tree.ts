import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

export type { Node };

/** What is wrong with a settings file; its message says where, and is for the user. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";

  /** `offset` is where in the text, `what` what is wrong there. */
  constructor(text: string, offset: number, what: string) {
    const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
    super(`line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: ${what}`);
  }
}

/**
 * Reads JSON that may have comments and trailing commas, as editors' settings do; nothing where
 * there is no value in it.
 *
 * @throws {SettingsError} at the first place that is not such JSON
 */
export function parseSettings(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const [error] = errors;
  if (error === undefined) return root;
  const what = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();
  throw new SettingsError(text, error.offset, `it is no valid JSON there (${what})`);
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new SettingsError(text, 0, "it is nested too deeply");
  }
}

/** A member of an object. */
export interface Member {
  /** Which of the object's children it is. */
  index: number;
  value: Node;
}

/** The members of that name, in their order; of several, the last one counts. */
export function findMembers(object: Node, name: string): Member[] {
  return (object.children ?? []).flatMap(({ children: [key, value] = [] }, index) =>
    value !== undefined && key?.value === name ? [{ index, value }] : []
  );
}

/** What a node's text stands for. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** A piece of the text: where it begins and ends. */
export interface Token {
  start: number;
  end: number;
  text: string;
}

/** The tokens and comments of a part of the text, which must begin between two of them. */
export function tokensBetween(text: string, start: number, end: number): Token[] {
  const scanner = createScanner(text);
  scanner.setPosition(start);
  const tokens: Token[] = [];
  while (scanner.getPosition() < end) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const token = {
      start,
      end: scanner.getPosition(),
      text: text.slice(start, scanner.getPosition()),
    };
    if (token.text.trim() !== "") tokens.push(token);
  }
  return tokens;
}

/** Whether a token is a comment. */
export function isComment({ text }: Token): boolean {
  return text.startsWith("//") || text.startsWith("/*");
}
