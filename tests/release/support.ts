import assert from "node:assert/strict";
import { makeArchive } from "../../lib/release/archive.ts";
import { checksumLines, sha256 } from "../../lib/release/checksums.ts";
import { archiveName, type Target, TARGETS } from "../../lib/release/targets.ts";

/** When everything in these tests was last modified. */
export const MODIFIED = new Date("2026-03-04T05:06:07Z");

/** The target of a platform. */
export function findTarget(platform: string): Target {
  const found = TARGETS.find((target) => target.platform === platform);
  assert.ok(found, platform);
  return found;
}

/** The files of a release, by name, that has one target. */
export type Published = Map<string, Uint8Array<ArrayBuffer>>;

/** What an installer finds in a release of one target, whose executable is the one given. */
export async function published(
  version: string,
  target: Target,
  executable: string | Uint8Array<ArrayBuffer>,
): Promise<Published> {
  const bytes = typeof executable === "string" ? new TextEncoder().encode(executable) : executable;
  const files = [{ name: target.executable, bytes, executable: true }];
  const archive = await makeArchive(target.format, files, MODIFIED);
  const name = archiveName(version, target);
  const sums = checksumLines(
    new Map([["other.txt", "0".repeat(64)], [name, await sha256(archive)]]),
  );
  return new Map([[name, archive], ["SHA256SUMS", new TextEncoder().encode(sums)]]);
}
