import { dependenciesOf, type Lock } from "./packages.ts";
import { NAME } from "./targets.ts";

/** What the list of a release's parts is made from. */
export interface SbomOptions {
  version: string;
  license: string;
  /** The version of Deno, whose runtime is in the executable. */
  deno: string;
  modified: Date;
  lock: Lock;
  /** The packages in the executable, as the lock file names them; all others serve tests. */
  shipped: ReadonlySet<string>;
}

/** A component of {@linkcode Sbom}. */
export interface Component {
  type: "application" | "library" | "platform";
  "bom-ref": string;
  group?: string;
  name: string;
  version: string;
  /** Whether it is in the executable. */
  scope?: "required" | "excluded";
  hashes?: { alg: "SHA-512"; content: string }[];
  licenses?: { license: { id: string } }[];
  purl?: string;
}

/** A software bill of materials in the form of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json). */
export interface Sbom {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  version: 1;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Says what is in the executable, and what was only used to make and test it. */
export function createSbom(options: SbomOptions): Sbom {
  const { version, license, deno, modified, lock, shipped } = options;
  const ids = Object.keys(lock.npm);
  const program: Component = {
    type: "application",
    "bom-ref": `${NAME}@${version}`,
    name: NAME,
    version,
    licenses: [{ license: { id: license } }],
  };
  const runtime: Component = {
    type: "platform",
    "bom-ref": `pkg:github/denoland/deno@v${deno}`,
    name: "deno",
    version: deno,
    scope: "required",
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:github/denoland/deno@v${deno}`,
  };
  const packages = ids.map((id) => library(id, lock, shipped.has(id)));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: modified.toISOString().replace(/\.\d+Z$/, "Z"),
      component: program,
    },
    components: [runtime, ...packages],
    dependencies: [
      {
        ref: program["bom-ref"],
        dependsOn: [runtime, ...packages].filter(({ scope }) => scope === "required")
          .map((component) => component["bom-ref"]),
      },
      ...ids.map((id) => ({ ref: purl(id), dependsOn: dependenciesOf(id, lock).map(purl) })),
    ],
  };
}

function library(id: string, lock: Lock, isShipped: boolean): Component {
  const { scope, name, version } = identity(id);
  const [algorithm, hash = ""] = lock.npm[id]?.integrity.split("-") ?? [];
  return {
    type: "library",
    "bom-ref": purl(id),
    ...(scope === undefined ? {} : { group: scope }),
    name,
    version,
    scope: isShipped ? "required" : "excluded",
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Uint8Array.fromBase64(hash).toHex() }] }
      : {}),
    purl: purl(id),
  };
}

/** The package URL of a package of npm (https://github.com/package-url/purl-spec). */
function purl(id: string): string {
  const { scope, name, version } = identity(id);
  return `pkg:npm/${scope === undefined ? "" : `${encodeURIComponent(scope)}/`}${name}@${version}`;
}

/** The lock file's name of a package, taken apart; after a `_` stand the peers it was resolved with. */
function identity(id: string): { scope: string | undefined; name: string; version: string } {
  const [, scope, name, version] = id.match(/^(?:(@[^/]+)\/)?([^@]+)@([^_]+)/) ?? [];
  if (name === undefined || version === undefined) throw new Error(`Cannot read package "${id}"`);
  return { scope, name, version };
}
