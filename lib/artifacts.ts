import { posix, win32 } from "node:path";

/** A file that the agent wrote, as it is to be saved. */
export interface ArtifactFile {
  name: string;
  /** Where the agent wants it, if it says so; relative to the session's folder. */
  destination?: string | undefined;
  /** The SHA-256 of its bytes, as hexadecimal digits. */
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Where files may be saved, and how. */
export interface SaveOptions {
  /** The session's working directory, an absolute path. */
  cwd: string;
  /** The folder for files, relative to the session's, or absolute. */
  outDir: string;
  /** Whether the agent may choose a place outside that folder. */
  anyPath: boolean;
  /** As `Deno.build.os` says it. */
  os: string;
  /** Writes a file through the editor, so that an open buffer follows; says whether it did. */
  writeText: (path: string, text: string) => Promise<boolean>;
  /** Nothing is written any more once it is aborted. */
  signal: AbortSignal;
}

/** A file that was saved. */
export interface SavedFile {
  /** Its absolute path. */
  path: string;
  text: string;
}

/** Names that Windows has for devices, with any extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** What no file name may have on some system. */
const FORBIDDEN = /[\p{Cc}<>:"|?*]/u;
/** The longest name, in bytes of UTF-8: file systems take 255, and more is added to it at times. */
const MAX_NAME = 200;
/** How many other names are tried where a file stands in the way. */
const MAX_NAMES = 1000;

/**
 * Saves a file whole or not at all, and loses none that is there: one with other content stays, and
 * the new one gets a name beside it.
 *
 * @throws {Error} whose message says why it was not saved
 */
export async function saveArtifact(file: ArtifactFile, options: SaveOptions): Promise<SavedFile> {
  if (await sha256(file.bytes) !== file.sha256.toLowerCase()) {
    throw new Error("its bytes are not those that the agent wrote (SHA-256)");
  }
  const text = decode(file.bytes);
  const wanted = await placeOf(file, options);
  while (true) {
    const { path, isThere } = await freePath(wanted, file.bytes, options.os);
    if (isThere) return { path, text };
    options.signal.throwIfAborted();
    if (await options.writeText(path, text) || await writeWhole(path, file.bytes)) {
      return { path, text };
    }
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not UTF-8 text", { cause });
  }
}

/** The path that a file is to have; its folder is there, and within what is allowed. */
async function placeOf(
  { name, destination }: ArtifactFile,
  { cwd, outDir, anyPath, os }: SaveOptions,
): Promise<string> {
  const { resolve, dirname, basename, join, relative, sep } = os === "windows" ? win32 : posix;
  const out = resolve(cwd, outDir);
  // One that ends like a folder names the folder alone.
  const target = destination &&
    resolve(cwd, /[/\\]$/.test(destination) ? destination + name : destination);
  const wanted = target ? dirname(target) : out;
  const plain = plainName(target ? basename(target) : name);
  if (!anyPath) {
    if (!isWithin(wanted, out, os)) {
      throw new Error(`"${destination}" is outside ${out} (--allow-any-path allows it)`);
    }
    relative(out, wanted).split(sep).filter((part) => part !== "").forEach(plainName);
    // Whatever links lie on the way. A folder outside the session's is the user's own choice.
    const realOut = await realPathOf(out, os);
    const leaves = isWithin(out, cwd, os) && !isWithin(realOut, await realPathOf(cwd, os), os);
    if (leaves || !isWithin(await realPathOf(wanted, os), realOut, os)) {
      throw new Error(`a symbolic link leads out of ${out}`);
    }
  }
  await Deno.mkdir(wanted, { recursive: true });
  return join(wanted, plain);
}

/** The path without symbolic links; what of it is not there yet is taken as it is. */
async function realPathOf(path: string, os: string): Promise<string> {
  const { dirname, join, basename } = os === "windows" ? win32 : posix;
  try {
    return await Deno.realPath(path);
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound) || dirname(path) === path) throw thrown;
    return join(await realPathOf(dirname(path), os), basename(path));
  }
}

function isWithin(path: string, folder: string, os: string): boolean {
  const { relative, isAbsolute, sep } = os === "windows" ? win32 : posix;
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Reduces a name to one of a file, without folders. */
function plainName(name: string): string {
  const plain = name.split(/[/\\]/).at(-1)?.trim() ?? "";
  if (plain === "" || plain.startsWith(".")) throw new Error("hidden names are not allowed");
  if (RESERVED.test(plain) || FORBIDDEN.test(plain) || plain.endsWith(".")) {
    throw new Error("its name is not allowed");
  }
  if (new TextEncoder().encode(plain).length > MAX_NAME) throw new Error("its name is too long");
  return plain;
}

/** The first of `a.md`, `a (2).md`, `a (3).md` … that is free, or has these very bytes. */
async function freePath(
  wanted: string,
  bytes: Uint8Array,
  os: string,
): Promise<{ path: string; isThere: boolean }> {
  const { parse, join } = os === "windows" ? win32 : posix;
  const { dir, name, ext } = parse(wanted);
  for (let i = 1; i <= MAX_NAMES; i++) {
    const path = join(dir, i === 1 ? name + ext : `${name} (${i})${ext}`);
    const there = await Deno.lstat(path).catch(() => undefined);
    if (there === undefined) return { path, isThere: false };
    if (there.isFile && there.size === bytes.length) {
      const content = await Deno.readFile(path);
      if (content.every((byte, index) => byte === bytes[index])) return { path, isThere: true };
    }
  }
  throw new Error("too many files of that name are there");
}

/** Written beside and linked: it is there whole or not at all. Says no where another was quicker. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<boolean> {
  const beside = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await Deno.writeFile(beside, bytes, { createNew: true });
    try {
      await Deno.link(beside, path);
    } catch (thrown) {
      if (thrown instanceof Deno.errors.AlreadyExists) return false;
      await Deno.rename(beside, path); // not every file system has links
    }
    return true;
  } finally {
    await Deno.remove(beside).catch(() => {}); // renamed, or never there
  }
}
