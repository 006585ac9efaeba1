/** Time, as an argument: tests give a clock of their own and wait for nothing. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after so many milliseconds; the returned function takes that back. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
