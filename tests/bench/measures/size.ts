import type { Bench } from "../bench.ts";

const MIB = 1024 * 1024;

/** The executables, as they are and compressed, and the runtime that is in them. */
export async function size({ plan, results, agents, empty, runtimeSize }: Bench): Promise<void> {
  for (const [name, [program = ""]] of [...agents, ["empty", empty] as const]) {
    // These are no executables of their own.
    if (name === "history" || name === "node" || name === "peer") continue;
    results.record("size", name, (await Deno.stat(program)).size / MIB);
    if (plan.archives) results.record("archive", name, await compressedSize(program) / MIB);
  }
  if (runtimeSize !== undefined) results.record("runtimeSize", "empty", runtimeSize / MIB);
}

async function compressedSize(path: string): Promise<number> {
  const file = await Deno.open(path);
  let total = 0;
  for await (const chunk of file.readable.pipeThrough(new CompressionStream("gzip"))) {
    total += chunk.length;
  }
  return total;
}
