/** Tells a text from an array, which can be gone through as well. */
const LONG_TEXT = Symbol("long text");

/** A text that is too long to stand in memory: its pieces are made whenever it is gone through. */
export interface LongText extends Iterable<string> {
  readonly [LONG_TEXT]: true;
  /** About how many characters it has. */
  readonly length: number;
  /** The text as one string, which is what `JSON.stringify` takes it for. */
  toJSON(): string;
}

/** A text, however long. */
export type Text = string | LongText;

/** The most characters of a piece: larger strings are no work that V8 does quickly. */
const PIECE = 16 * 1024;

/** Makes a text of the pieces that the function gives, the same each time. */
export function longText(length: number, pieces: () => Iterator<string>): LongText {
  const text: LongText = {
    [LONG_TEXT]: true,
    length,
    [Symbol.iterator]: pieces,
    toJSON: () => wholeText(text),
  };
  return text;
}

/** Whether a value is a long text. */
export function isLongText(value: unknown): value is LongText {
  return typeof value === "object" && value !== null && LONG_TEXT in value;
}

/** The pieces of a text; a pair of surrogates may be cut. */
export function* piecesOf(text: Text): Generator<string, undefined> {
  if (typeof text !== "string") return yield* text;
  for (let start = 0; start < text.length; start += PIECE) yield text.slice(start, start + PIECE);
}

/** A text as one string. */
export function wholeText(text: Text): string {
  return typeof text === "string" ? text : [...text].join("");
}
