import { makeArchive } from "./archive.ts";
import { checksumLines, sha256 } from "./checksums.ts";
import type { Compile } from "./compile.ts";
import type { Options } from "./options.ts";
import { registryEntry } from "./registry.ts";
import type { Sbom } from "./sbom.ts";
import { archiveName, NAME, type Target } from "./targets.ts";

/** What stands in an installer for the address of the repository. */
const PLACEHOLDER = "@REPOSITORY@";

/** What a release is made from. */
export interface ReleaseOptions extends Options {
  version: string;
  license: string;
  /** The files that stand in each archive beside the executable, by name. */
  documents: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The files that are published as they are but for the address of the repository, by name. */
  templates: ReadonlyMap<string, string>;
  sbom: Sbom;
  compile: Compile;
  /** The folder for what is published; it is there, and empty. */
  folder: string;
  /** A folder for what is not. */
  scratch: string;
}

/**
 * Makes all files of a release: an archive for each target, the list of parts (SBOM), and, where
 * the repository's address is known, the registry's entry, its icon and the installers; and
 * `SHA256SUMS` over all of them. Returns their names.
 */
export async function release(options: ReleaseOptions): Promise<string[]> {
  const { version, license, repository, targets, folder } = options;
  const sums = new Map<string, string>();
  async function publish(name: string, content: string | Uint8Array<ArrayBuffer>) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${folder}/${name}`, bytes);
    sums.set(name, await sha256(bytes));
  }
  for (const target of targets) { // one at a time: an executable is large
    await publish(archiveName(version, target), await archive(target, options));
  }
  await publish(`${NAME}-${version}.cdx.json`, toJson(options.sbom));
  if (repository !== undefined) {
    const entry = registryEntry({ version, license, repository, targets });
    await publish("agent.json", toJson(entry));
    for (const [name, template] of options.templates) {
      await publish(name, template.replaceAll(PLACEHOLDER, repository));
    }
  }
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, checksumLines(sums));
  return [...sums.keys(), "SHA256SUMS"];
}

async function archive(
  target: Target,
  { documents, modified, compile, scratch }: ReleaseOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const output = `${scratch}/${target.platform}-${target.executable}`;
  await compile(target.triple, output);
  const executable = {
    name: target.executable,
    bytes: await Deno.readFile(output),
    executable: true,
  };
  await Deno.remove(output);
  const others = [...documents].map(([name, bytes]) => ({ name, bytes, executable: false }));
  return await makeArchive(target.format, [executable, ...others], modified);
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
