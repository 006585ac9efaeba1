import manifest from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url).pathname;
const CACHE = `${ROOT}dist/bench`;

/**
 * Makes an executable of a program here, with the very flags of the `compile` task, unless it has
 * been made already; returns its path.
 *
 * @throws {Error} when it cannot be compiled
 */
export async function compile(name: string): Promise<string> {
  const entry = `${ROOT}tests/bench/agents/${name}.ts`;
  const [bundle = [], compile = []] = manifest.tasks.compile.command.split(" && ")
    .slice(1).map((command) => command.split(" ").slice(1));
  const made = await hash([
    await Deno.readTextFile(entry),
    manifest.tasks.compile.command,
    Deno.version.deno,
    Deno.env.get("DENORT_BIN") ?? "",
  ]);
  const folder = `${CACHE}/${name}-${made}`;
  const executable = `${folder}/${name}${Deno.build.os === "windows" ? ".exe" : ""}`;
  if (await exists(executable)) return executable;
  await deno(replaced(bundle, { "dist/bundle": folder, "main.ts": entry }));
  await deno(replaced(compile, {
    "dist/patb-cli-bridge": executable,
    "dist/bundle/main.js": `${folder}/${name}.js`,
  }));
  return executable;
}

function replaced(args: string[], names: Record<string, string>): string[] {
  return args.map((arg) => names[arg] ?? arg);
}

async function deno(args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  if (success) return;
  throw new Error(`Cannot compile a program to compare with: ${new TextDecoder().decode(stderr)}`);
}

async function hash(texts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(texts.join("\n"));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex().slice(0, 12);
}

/** Whether there is such a file. */
export async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}
