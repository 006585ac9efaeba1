import { fileURLToPath } from "node:url";
import * as v from "valibot";
import manifest from "../../deno.json" with { type: "json" };
import { createCompiler } from "./compile.ts";
import { ReleaseError } from "./errors.ts";
import { readOptions } from "./options.ts";
import { Lock, ModuleGraph, shippedPackages } from "./packages.ts";
import { release } from "./release.ts";
import { createSbom, type Sbom } from "./sbom.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DIST = `${ROOT}dist`;
/** Where the task `compile` puts the bundle. */
const BUNDLE = `${DIST}/bundle`;

async function main(): Promise<number> {
  const { version, license, tasks } = manifest;
  try {
    const options = readOptions(Deno.args, Deno.env.get("SOURCE_DATE_EPOCH"), version);
    if (options.repository === undefined) {
      complain("without --repository URL there is no agent.json, no icon.svg and no installer");
    }
    const sbom = await partsList(options.modified);
    await remove(DIST);
    await Deno.mkdir(DIST);
    const scratch = await Deno.makeTempDir();
    try {
      const names = await release({
        ...options,
        version,
        license,
        documents: await contents(["README.md", "LICENSE"], (name) => Deno.readFile(ROOT + name)),
        templates: await contents(
          ["icon.svg", "install.sh", "install.ps1"],
          (name) => Deno.readTextFile(HERE + name),
        ),
        sbom,
        compile: createCompiler({
          task: tasks.compile.command,
          run: runDeno,
          date: (folder) => dateFiles(ROOT + folder, options.modified),
        }),
        folder: DIST,
        scratch,
      });
      await Deno.stdout.write(new TextEncoder().encode(`${names.join("\n")}\n`));
    } finally {
      await remove(scratch);
      await remove(BUNDLE);
    }
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof ReleaseError)) throw thrown;
    complain(thrown.message);
    return thrown.status;
  }
}

async function partsList(modified: Date): Promise<Sbom> {
  const { version, license } = manifest;
  const lock = v.parse(Lock, JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`)));
  const graph = v.parse(ModuleGraph, JSON.parse(await runDeno(["info", "--json", "main.ts"])));
  const shipped = shippedPackages(graph, lock);
  return createSbom({ version, license, deno: Deno.version.deno, modified, lock, shipped });
}

/** Runs Deno in the repository's folder; returns what it prints. Its stderr says why it fails. */
async function runDeno(args: string[]): Promise<string> {
  const { success, code, stdout } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  if (!success) throw new ReleaseError(1, `"deno ${args[0]}" ended with status ${code}`);
  return new TextDecoder().decode(stdout);
}

async function dateFiles(folder: string, date: Date): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    await Deno.utime(`${folder}/${name}`, date, date);
  }
}

async function contents<T>(
  names: string[],
  read: (name: string) => Promise<T>,
): Promise<Map<string, T>> {
  const entries = names.map(async (name): Promise<[string, T]> => [name, await read(name)]);
  return new Map(await Promise.all(entries));
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}

function complain(message: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`release: ${message}\n`));
}

if (import.meta.main) Deno.exit(await main());
