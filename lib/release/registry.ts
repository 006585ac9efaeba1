import { archiveName, NAME, type Target } from "./targets.ts";

/** A binary distribution of {@linkcode RegistryEntry}. */
export interface RegistryBinary {
  /** Where the archive is. */
  archive: string;
  /** The executable, relative to where the archive is unpacked. */
  cmd: string;
}

/** An entry of the ACP registry (https://github.com/agentclientprotocol/registry, `FORMAT.md`). */
export interface RegistryEntry {
  id: string;
  name: string;
  version: string;
  description: string;
  repository: string;
  license: string;
  distribution: { binary: Record<string, RegistryBinary> };
}

/**
 * The entry for `agent.json` of the ACP registry. It has no hashes of the archives: with each
 * release the registry itself updates the version and the addresses of an entry, but not those.
 *
 * @param repository the web address of the repository that has the release
 */
export function registryEntry(
  { version, license, repository, targets }: {
    version: string;
    license: string;
    repository: string;
    targets: readonly Target[];
  },
): RegistryEntry {
  const binary = targets.map((target): [string, RegistryBinary] => [target.platform, {
    archive: `${repository}/releases/download/v${version}/${archiveName(version, target)}`,
    cmd: target.format === "zip" ? target.executable : `./${target.executable}`,
  }]);
  return {
    id: NAME,
    name: "The Brain",
    version,
    description: "Brings the agent The Brain into your editor",
    repository,
    license,
    distribution: { binary: Object.fromEntries(binary) },
  };
}
