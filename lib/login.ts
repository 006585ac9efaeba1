import { BridgeError } from "./errors.ts";

/** What logging in needs. */
export interface LoginOptions {
  /** The host of the service, as it is shown. */
  host: string;
  /** Asks for the key, without showing it; nothing where there is nobody to ask. */
  ask: () => Promise<string | undefined>;
  /** Throws a `BridgeError` when the service does not take the key. */
  check: (key: string) => Promise<void>;
  /** Keeps the key. */
  keep: (key: string) => void;
  /** Tells the user. */
  say: (message: string) => void;
}

/** `login`: asks for the key, checks it with the service and keeps it; returns the exit status. */
export async function login({ host, ask, check, keep, say }: LoginOptions): Promise<number> {
  const key = (await ask())?.trim();
  if (!key) {
    say("No key was given, so nothing was changed.");
    return 1;
  }
  try {
    await check(key);
    keep(key);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    const why = thrown instanceof BridgeError
      ? thrown.message
      : `It cannot be kept: ${thrown.message}`;
    say(`The key was not kept. ${why}`);
    return 1;
  }
  say(`Logged in: ${host} takes the key, and it is kept for the editor to use.`);
  return 0;
}
