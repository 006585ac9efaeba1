import { BridgeError } from "../errors.ts";

/** A settings file as it was read. */
export interface SettingsFile {
  /** Its path, as the user knows it. */
  path: string;
  /** Its text; empty where there is no such file. */
  text: string;
  /**
   * The file itself, where links lead to it, what was in it, and its rights, which Windows has not;
   * nothing where there is no file.
   */
  found: { path: string; bytes: Uint8Array<ArrayBuffer>; mode: number | null } | undefined;
}

/**
 * Reads the first of the files that is there, or says that the first is not there yet.
 *
 * @param os as `Deno.build.os` says it
 * @throws {BridgeError} when there is something else than a text file, or it cannot be read
 */
export function readSettingsFile(paths: [string, ...string[]], os: string): SettingsFile {
  const path = paths.find(isThere) ?? paths[0];
  return attempt(path, "cannot be read", () => {
    if (!isThere(path)) return { path, text: "", found: undefined };
    const target = realPath(path); // a link stays one: what it leads to is written
    const { isFile, mode } = Deno.statSync(target);
    if (!isFile) throw new Error("it is no file");
    const bytes = Deno.readFileSync(target);
    const found = { path: target, bytes, mode: os === "windows" ? null : mode };
    return { path, text: decode(bytes), found };
  });
}

/**
 * Writes the new text of a settings file, whole or not at all, unless somebody else has written it
 * meanwhile; what was in it is kept beside it first.
 *
 * @param now milliseconds since the epoch, for the name of the backup
 * @returns the path of the backup, where there was something to keep
 * @throws {BridgeError} when it cannot be written; then it is as it was before
 */
export function writeSettingsFile(
  { path, found }: SettingsFile,
  text: string,
  now: number,
): string | undefined {
  return attempt(path, "cannot be written", () => {
    const target = found?.path ?? path;
    const beside = `${target}.${crypto.randomUUID()}`;
    const backup = found && freeName(path, now);
    if (found === undefined) Deno.mkdirSync(folderOf(path), { recursive: true });
    try {
      if (found && backup) createFile(backup, found.bytes, found.mode);
      createFile(beside, new TextEncoder().encode(text), found?.mode ?? null);
      if (hasChanged(path, found)) throw new Error("it has just changed: try again");
      Deno.renameSync(beside, target);
    } catch (thrown) {
      remove(beside);
      if (backup !== undefined && !(thrown instanceof Deno.errors.AlreadyExists)) remove(backup);
      throw thrown;
    }
    return backup;
  });
}

/** Whether there is anything of that name, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    if (thrown instanceof Deno.errors.NotADirectory) return false;
    throw new BridgeError("internal", `${path} cannot be read: ${reason(thrown)}`, {
      cause: thrown,
    });
  }
}

function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    throw new Error("it is a link that leads nowhere", { cause: thrown });
  }
}

function hasChanged(path: string, found: SettingsFile["found"]): boolean {
  if (found === undefined) return isThere(path);
  const bytes = Deno.readFileSync(found.path);
  return bytes.length !== found.bytes.length || bytes.some((byte, at) => byte !== found.bytes[at]);
}

/** A name for a backup beside the path that the user knows: links often lead into repositories. */
function freeName(path: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  for (let count = 1;; count++) {
    const name = `${path}.backup-${time}${count === 1 ? "" : `-${count}`}`;
    if (!isThere(name)) return name;
  }
}

function createFile(path: string, bytes: Uint8Array<ArrayBuffer>, mode: number | null): void {
  const rights = mode === null ? {} : { mode: mode & 0o777 }; // there are none on Windows
  Deno.writeFileSync(path, bytes, { createNew: true, ...rights });
  if (mode !== null) Deno.chmodSync(path, mode & 0o777); // whatever the umask takes away
}

function remove(path: string): void {
  if (isThere(path)) Deno.removeSync(path);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    throw new Error("it is not UTF-8", { cause: thrown });
  }
}

function folderOf(path: string): string {
  return path.replace(/[/\\][^/\\]*$/, "");
}

function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof BridgeError || !(thrown instanceof Error)) throw thrown;
    throw new BridgeError(
      "internal",
      `Nothing was changed: ${path} ${what}: ${reason(thrown)}`,
      { cause: thrown },
    );
  }
}

function reason(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
