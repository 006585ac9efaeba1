/** Lines for whoever looks after the bridge; the editor never sees them. */
export interface Log {
  /** Something is wrong with the bridge or its surroundings. */
  error(message: string): void;
}

/**
 * Makes a log that writes lines with the given function and hides the secret wherever it stands
 * in them.
 */
export function createLog(
  write: (line: string) => void,
  secret: string | undefined,
): Log {
  return {
    error(message) {
      const safe = secret === undefined ? message : message.replaceAll(secret, "***");
      write(`patb-cli-bridge: ${safe}\n`);
    },
  };
}

/** The whole story of something thrown, with its stack and its causes, for the log. */
export function describeThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const story = thrown.stack ?? String(thrown);
  return thrown.cause === undefined ? story : `${story}\ncaused by ${describeThrown(thrown.cause)}`;
}
