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

/** Resolves after so many milliseconds; rejects with the signal's reason when that aborts first. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const unschedule = clock.schedule(milliseconds, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    function abort(): void {
      unschedule();
      reject(signal.reason);
    }
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Settles as the promise does, or rejects with `late()` when that takes longer. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  promise: Promise<T>,
  late: () => Error,
): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const unschedule = clock.schedule(milliseconds, () => reject(late()));
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    unschedule();
  }
}
