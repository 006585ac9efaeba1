/** The API key in force. */
export interface Credentials {
  /** The key, as it was found when it was last looked for. */
  readonly apiKey: string | undefined;
  /** All keys that were in force so far: none of them may be shown. */
  readonly secrets: ReadonlySet<string>;
  /** Looks for the key anew: the user may have logged in or out meanwhile. */
  refresh(): Promise<void>;
  /** Forgets the key that the user has logged in with. */
  logout(): Promise<void>;
}

/** Makes credentials of a way to find the key, and one to forget the key that is stored. */
export function createCredentials(
  find: () => Promise<string | undefined>,
  forget: () => void,
): Credentials {
  let apiKey: string | undefined;
  const secrets = new Set<string>();
  async function refresh(): Promise<void> {
    apiKey = await find();
    if (apiKey !== undefined) secrets.add(apiKey);
  }
  return {
    secrets,
    get apiKey() {
      return apiKey;
    },
    refresh,
    async logout() {
      forget();
      await refresh();
    },
  };
}
