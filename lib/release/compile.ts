/** Compiles the program for a target, given as its triple, into a file. */
export type Compile = (triple: string, output: string) => Promise<void>;

/** What a compiler needs. */
export interface CompilerOptions {
  /** The command of the task `compile` of `deno.json`, whose flags thus stand in one place. */
  task: string;
  /** Runs Deno with arguments; throws when it fails. */
  run: (args: string[]) => Promise<unknown>;
  /** Gives all files of a folder, which the task names, the time of the release. */
  date: (folder: string) => Promise<void>;
}

/**
 * A compiler that does what that task does: it bundles once, then compiles the bundle for each
 * target. The same sources, at the same path, with the same time and Deno give the same executable.
 *
 * @throws {Error} when the task is not as expected
 */
export function createCompiler({ task, run, date }: CompilerOptions): Compile {
  const bundle = step(task, "bundle");
  const folder = bundle[valueOf(bundle, "--outdir")] ?? "";
  const compile = step(task, "compile");
  const output = valueOf(compile, "--output");
  async function makeBundle(): Promise<void> {
    await run(bundle);
    await date(folder); // for the executable has the times of the files in it
  }
  let bundled: Promise<void> | undefined; // by the first of the targets
  return async (triple, path) => {
    await (bundled ??= makeBundle());
    const [command = "", ...flags] = compile.with(output, path);
    await run([command, "--target", triple, ...flags]);
  };
}

/** The arguments of one of the task's steps, its name the first. */
function step(task: string, name: string): string[] {
  const commands = task.split(" && ").map((command) => command.split(" "));
  const found = commands.find(([program, first]) => program === "deno" && first === name);
  if (found === undefined) throw new Error(`The task "compile" has no step "deno ${name}"`);
  return found.slice(1);
}

/** Where the value of a flag stands. */
function valueOf(args: string[], flag: string): number {
  const found = args.indexOf(flag);
  if (found === -1) throw new Error(`The task "compile" has no ${flag} in "deno ${args[0]}"`);
  return found + 1;
}
