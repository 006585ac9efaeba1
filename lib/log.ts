/** How much is logged, the least first; each level includes those before it. */
export const LOG_LEVELS = ["error", "info", "debug", "trace"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Lines for whoever looks after the bridge; the editor never sees them. `error`: something is wrong
 * with the bridge or its surroundings; `info`: what became of a run's connections; `debug`: what
 * was sent and received, without texts; `trace`: every line. A message is made only if it is logged.
 */
export type Log = Record<LogLevel, (message: () => string) => void>;

/** What a log needs. */
export interface LogOptions {
  level: LogLevel;
  /** Writes a line. */
  write: (line: string) => void;
  /** What must not be shown, in any form; more may be added. */
  secrets: Iterable<string>;
  /** The time, in milliseconds since the epoch. */
  now: () => number;
}

/** Makes a log. */
export function createLog({ level, write, secrets, now }: LogOptions): Log {
  const most = LOG_LEVELS.indexOf(level);

  function logAt(at: LogLevel) {
    if (LOG_LEVELS.indexOf(at) > most) return () => {};
    return (message: () => string) => {
      const forms = [...secrets].flatMap(formsOf);
      const text = forms.reduce(
        (hidden, form) => hidden.replaceAll(form, "***"),
        message(),
      );
      write(`patb-cli-bridge ${new Date(now()).toISOString()} ${at}: ${text}`);
    };
  }

  return {
    error: logAt("error"),
    info: logAt("info"),
    debug: logAt("debug"),
    trace: logAt("trace"),
  };
}

/** The forms in which a secret may stand in a text: plain, in JSON, in a URL, in Base64. */
function formsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const bytes = new TextEncoder().encode(wellFormed);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  const json = JSON.stringify(wellFormed).slice(1, -1);
  return [...new Set([secret, json, encodeURIComponent(wellFormed), base64])];
}

/** The whole story of something thrown, with its stack and its causes, for the log. */
export function describeThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const story = thrown.stack ?? String(thrown);
  return thrown.cause === undefined ? story : `${story}\ncaused by ${describeThrown(thrown.cause)}`;
}
