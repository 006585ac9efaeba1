import { BridgeError } from "./errors.ts";

/** Where a key that the user has logged in with is kept. */
export interface KeyStore {
  /** The key, if there is one that can be read. */
  read(): string | undefined;
  /** Keeps a key, readable by the user alone. */
  write(key: string): void;
  /** Removes the key, if there is one. */
  remove(): void;
}

/** Makes a store in a file of the folder, or one that keeps nothing where there is no folder. */
export function createKeyStore(folder: string | undefined): KeyStore {
  const path = `${folder}/key`;
  return {
    read() {
      if (folder === undefined) return undefined;
      try {
        if (!Deno.statSync(path).isFile) return undefined; // a pipe would be waited for
        return Deno.readTextFileSync(path).trim() || undefined;
      } catch {
        return undefined; // no key there that is of use; whoever needs one is told what to do
      }
    },
    write(key) {
      if (folder === undefined) throw new Error("there is no home folder to keep it in");
      Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Written beside and renamed: the key is there whole or not at all, and never with the rights
      // of a file that was there before.
      const beside = `${path}.${crypto.randomUUID()}`;
      Deno.writeTextFileSync(beside, `${key}\n`, { mode: 0o600, createNew: true });
      try {
        Deno.renameSync(beside, path);
      } catch (thrown) {
        Deno.removeSync(beside);
        throw thrown;
      }
    },
    remove() {
      if (folder === undefined) return;
      try {
        Deno.removeSync(path);
      } catch (thrown) {
        const { NotFound, NotADirectory } = Deno.errors;
        if (thrown instanceof NotFound || thrown instanceof NotADirectory) return; // no key there
        throw new BridgeError("internal", `The key cannot be removed: ${thrown}`, {
          cause: thrown,
        });
      }
    },
  };
}
