/** How long and how large things may become; times in milliseconds. */
export interface Limits {
  /** A whole turn. */
  turn: number;
  /** The answer to one request. */
  request: number;
  /** Attempts in a row to reach a run's stream that bring nothing. */
  reattach: number;
  /** The body of a request to start a run, in bytes; 0 for no limit. */
  maxPrompt: number;
}
