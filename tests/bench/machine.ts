import { cpus, totalmem } from "node:os";

/** The machine in a few words: its processors, memory, system, and the runtime of the bench. */
export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const { os, arch } = Deno.build;
  return `${first?.model.trim() ?? "processors unknown"} × ${cpus().length}, ${memory} GiB, ` +
    `${os} ${Deno.osRelease()} ${arch}, Deno ${Deno.version.deno}`;
}
