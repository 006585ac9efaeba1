import { findVariable, type Found } from "./config.ts";
import { createKeyStore, type KeyStore } from "./key_store.ts";
import type { Surroundings } from "./surroundings.ts";
import { configFolder } from "./user_folders.ts";

/** The key: that of the environment, or of the `.env` file, or the one that is kept. */
export async function findApiKey(surroundings: Surroundings): Promise<Found | undefined> {
  const { environment, dotenv } = surroundings;
  const found = findVariable("PATBA_API_KEY", { environment, dotenv: {} }) ??
    findVariable("PATBA_API_KEY", { environment: {}, dotenv: await dotenv() });
  if (found !== undefined) return found;
  const value = keyStore(surroundings).read();
  return value === undefined ? undefined : { value, origin: "login", name: "login" };
}

/** Where the key that the user logs in with is kept. */
export function keyStore({ user }: Surroundings): KeyStore {
  return createKeyStore(configFolder(user));
}
