import { gzipSync, zipSync } from "fflate";
import { packTar } from "modern-tar";

/** A file of an archive. */
export interface ArchivedFile {
  /** Its path in the archive. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether it can be run. */
  executable: boolean;
}

/** In a zip file, the system whose permissions stand beside a file: Unix. */
const UNIX = 3;

/**
 * Makes an archive. The same files and time give the same bytes, on every machine and runtime:
 * that is why the compressor is not the runtime's own.
 *
 * @param modified when its files were last modified; a zip file has only the day, at noon, for its
 * times are in a time zone that it does not name, and it knows none before 1980
 */
export async function makeArchive(
  format: "tar.gz" | "zip",
  files: readonly ArchivedFile[],
  modified: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "zip") return makeZip(files, modified);
  const tar = await packTar(files.map(({ name, bytes, executable }) => ({
    header: {
      name,
      type: "file" as const,
      size: bytes.length,
      mode: mode(executable),
      mtime: modified,
      uid: 0,
      gid: 0,
    },
    body: bytes,
  })));
  return gzipSync(tar, { mtime: modified });
}

function makeZip(files: readonly ArchivedFile[], modified: Date): Uint8Array<ArrayBuffer> {
  const noon = [modified.getUTCMonth(), modified.getUTCDate(), 12] as const;
  return zipSync(
    Object.fromEntries(files.map(({ name, bytes, executable }) => {
      // The upper half has the type of the file, an ordinary one, and its permissions.
      const attrs = (0o100000 | mode(executable)) * 0x10000;
      return [name, [bytes, { os: UNIX, attrs }]];
    })),
    { mtime: new Date(Math.max(modified.getUTCFullYear(), 1980), ...noon) },
  );
}

function mode(executable: boolean): number {
  return executable ? 0o755 : 0o644;
}
