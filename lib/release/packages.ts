import * as v from "valibot";

/** The part of `deno.lock` in use: each package, what it must hash to and what it depends on. */
export const Lock = v.object({
  npm: v.record(
    v.string(),
    v.object({
      /** As in a script's `integrity`: the algorithm, a hyphen, and the hash in Base64. */
      integrity: v.string(),
      /** Names of packages, with their versions where there are several. */
      dependencies: v.optional(v.array(v.string())),
    }),
  ),
});
export type Lock = v.InferOutput<typeof Lock>;

/** The part of what `deno info --json` says that is in use: modules, and their imports. */
export const ModuleGraph = v.object({
  roots: v.array(v.string()),
  modules: v.array(v.object({
    specifier: v.string(),
    /** For a module of a package, the package as the lock file names it. */
    npmPackage: v.optional(v.string()),
    dependencies: v.optional(v.array(v.object({
      /** What is run; an import of types alone has none. */
      code: v.optional(v.object({ specifier: v.optional(v.string()) })),
    }))),
  })),
  redirects: v.record(v.string(), v.string()),
});
export type ModuleGraph = v.InferOutput<typeof ModuleGraph>;

/**
 * The packages that are in the executable, as the lock file names them: those that the program
 * imports, other than for types, and all that they depend on.
 */
export function shippedPackages(graph: ModuleGraph, lock: Lock): Set<string> {
  const modules = new Map(graph.modules.map((module) => [module.specifier, module]));
  const imported = reach(graph.roots, (specifier) => {
    const { dependencies = [] } = modules.get(specifier) ?? {};
    return dependencies.flatMap(({ code }) =>
      code?.specifier === undefined ? [] : [graph.redirects[code.specifier] ?? code.specifier]
    );
  });
  const packages = [...imported].flatMap((specifier) => modules.get(specifier)?.npmPackage ?? []);
  return reach(packages, (id) => dependenciesOf(id, lock));
}

/**
 * The packages that one depends on, as the lock file names them.
 *
 * @throws {Error} when the lock file lacks one
 */
export function dependenciesOf(id: string, lock: Lock): string[] {
  const entry = lock.npm[id];
  if (entry === undefined) throw new Error(`deno.lock lacks the package "${id}"`);
  return (entry.dependencies ?? []).map((wanted) => {
    if (wanted in lock.npm) return wanted;
    const found = Object.keys(lock.npm).find((other) =>
      other.startsWith(`${wanted}@`) || other.startsWith(`${wanted}_`)
    );
    if (found === undefined) throw new Error(`deno.lock lacks "${wanted}", needed by "${id}"`);
    return found;
  });
}

function reach(from: Iterable<string>, next: (id: string) => string[]): Set<string> {
  const reached = new Set(from);
  for (const id of reached) next(id).forEach((each) => reached.add(each)); // which it comes to, too
  return reached;
}
