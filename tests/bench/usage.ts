// What the system knows of a process: from /proc on Linux, from `ps` elsewhere. All of it is
// nothing where the system does not tell.

const MIB = 1024 * 1024;

/** The memory of a process that is resident now, in MiB. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  if (Deno.build.os === "linux") return await status(pid, "VmRSS");
  const [, kilobytes] = await ps(pid, "rss", /^\s*(\d+)/);
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024 / MIB;
}

/** The most memory of a process that ever was resident, in MiB. */
export async function peakMemory(pid: number): Promise<number | undefined> {
  return Deno.build.os === "linux" ? await status(pid, "VmHWM") : undefined;
}

/** The time that a process has had on the processors, all its threads together, in milliseconds. */
export async function cpuTime(pid: number): Promise<number | undefined> {
  if (Deno.build.os === "linux") return await scheduledTime(pid);
  const [, minutes, seconds] = await ps(pid, "time", /(\d+):([\d.]+)\s*$/);
  return minutes === undefined ? undefined : (Number(minutes) * 60 + Number(seconds)) * 1000;
}

async function status(pid: number, field: "VmRSS" | "VmHWM"): Promise<number | undefined> {
  const text = await Deno.readTextFile(`/proc/${pid}/status`);
  const kilobytes = text.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024 / MIB;
}

/** From the scheduler's own books, in nanoseconds: `stat` counts in steps of 10 ms. */
async function scheduledTime(pid: number): Promise<number | undefined> {
  let total = 0;
  for await (const { name } of Deno.readDir(`/proc/${pid}/task`)) {
    try {
      const [nanoseconds] = (await Deno.readTextFile(`/proc/${pid}/task/${name}/schedstat`))
        .split(" ");
      total += Number(nanoseconds) / 1e6;
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) continue; // a thread that ended just now
      throw thrown;
    }
  }
  return total;
}

async function ps(pid: number, column: string, pattern: RegExp): Promise<(string | undefined)[]> {
  if (Deno.build.os === "windows") return [];
  const args = ["-o", `${column}=`, "-p", String(pid)];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  return new TextDecoder().decode(stdout).match(pattern) ?? [];
}
