/** Tells a long text from an array of strings, whose length is another. */
const LONG_TEXT = Symbol("long text");

/** A text that is not held as a string: its pieces are made anew each time that it is read. */
export interface LongText extends Iterable<string> {
  readonly [LONG_TEXT]: true;
  /** About how many characters it has; an escape sequence counts as up to six, or as one. */
  readonly length: number;
}

/** A text, however long. */
export type Text = string | LongText;

/** The most characters of a piece: V8 moves larger strings to where making one takes longer. */
const PIECE = 16 * 1024;

/** Makes a text of the pieces that the function gives, the same each time. */
export function longText(length: number, pieces: () => Iterable<string>): LongText {
  return { [LONG_TEXT]: true, length, [Symbol.iterator]: () => pieces()[Symbol.iterator]() };
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
