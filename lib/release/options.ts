import { parseArgs } from "node:util";
import { ReleaseError } from "./errors.ts";
import { type Target, TARGETS } from "./targets.ts";

/** What is to be released, and how. */
export interface Options {
  targets: readonly Target[];
  /** The web address of the repository that will have the release, if it is known. */
  repository: string | undefined;
  /** When the archives' files were last modified. */
  modified: Date;
}

/** The first moment that a zip file knows. */
const EARLIEST = new Date("1980-01-01T00:00:00Z");

/**
 * A web address that can stand in a script between quotes: nothing in it has a meaning there, and
 * nothing follows the path.
 */
const ADDRESS = /^https:\/\/[a-z0-9.-]+(:\d+)?(\/[\w.~-]+)+$/i;

/**
 * Reads the command line of a release.
 *
 * @param epoch the variable `SOURCE_DATE_EPOCH`, in seconds
 * (https://reproducible-builds.org/specs/source-date-epoch)
 * @param version the version in `deno.json`, which a tag must be
 * @throws {ReleaseError} when it, or the variable, cannot be followed
 */
export function readOptions(
  args: string[],
  epoch: string | undefined,
  version: string,
): Options {
  const { target, repository, tag } = parse(args);
  if (tag !== undefined && tag !== `v${version}`) {
    throw new ReleaseError(2, `The tag is "${tag}", but the version in deno.json is "${version}"`);
  }
  const address = repository?.replace(/\/$/, "");
  if (address !== undefined && !ADDRESS.test(address)) {
    throw new ReleaseError(2, `--repository must be the https:// address of a repository`);
  }
  return {
    targets: target === undefined ? TARGETS : [...new Set(target.map(findTarget))],
    repository: address,
    modified: epoch ? readEpoch(epoch) : EARLIEST,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        target: { type: "string", multiple: true },
        repository: { type: "string" },
        tag: { type: "string" },
      },
    }).values;
  } catch (cause) {
    throw new ReleaseError(2, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function findTarget(triple: string): Target {
  const found = TARGETS.find((target) => target.triple === triple);
  if (found !== undefined) return found;
  const known = TARGETS.map((target) => target.triple).join(", ");
  throw new ReleaseError(2, `There is no target "${triple}"; the targets are ${known}`);
}

function readEpoch(seconds: string): Date {
  const date = new Date(Number(seconds) * 1000);
  if (/^\d+$/.test(seconds) && date >= EARLIEST) return date;
  throw new ReleaseError(2, `SOURCE_DATE_EPOCH must be seconds since 1970, and not before 1980`);
}
