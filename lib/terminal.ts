/** What a command may do with the terminal, or with what stands in its place. */
export interface Terminal {
  /** Writes to stdout. */
  print(text: string): void;
  /** Writes to stderr. */
  note(text: string): void;
  /** Whether stdin is a terminal. */
  readonly isInput: boolean;
  /** Whether stdout is a terminal. */
  readonly isOutput: boolean;
  /** Whether it is one with colours. */
  readonly colors: boolean;
  /** Whether stderr is a terminal, so that a line may be written over. */
  readonly isNotes: boolean;
  /** How wide the terminal is, in characters. */
  columns(): number;
}
