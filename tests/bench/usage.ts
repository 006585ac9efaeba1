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

/** The processors' time of each thread of a process, in milliseconds, by the thread's id. */
export type CpuTimes = ReadonlyMap<string, number>;

/** The time that a process has had on the processors so far. */
export async function cpuTimes(pid: number): Promise<CpuTimes | undefined> {
  if (Deno.build.os === "linux") return await scheduledTimes(pid);
  const [, minutes, seconds] = await ps(pid, "time", /(\d+):([\d.]+)\s*$/);
  if (minutes === undefined) return undefined;
  return new Map([["all", (Number(minutes) * 60 + Number(seconds)) * 1000]]);
}

/** The time on the processors between two looks, in milliseconds; threads that ended count none. */
export function cpuBetween(
  before: CpuTimes | undefined,
  after: CpuTimes | undefined,
): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  let total = 0;
  for (const [thread, time] of after) total += time - (before.get(thread) ?? 0);
  return total;
}

async function status(pid: number, field: "VmRSS" | "VmHWM"): Promise<number | undefined> {
  const text = await Deno.readTextFile(`/proc/${pid}/status`);
  const kilobytes = text.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024 / MIB;
}

/** From the scheduler's own books, in nanoseconds: `stat` counts in steps of 10 ms. */
async function scheduledTimes(pid: number): Promise<CpuTimes> {
  const times = new Map<string, number>();
  const threads = `/proc/${pid}/task`;
  for await (const { name } of Deno.readDir(threads)) {
    try {
      const [nanoseconds] = (await Deno.readTextFile(`${threads}/${name}/schedstat`)).split(" ");
      times.set(name, Number(nanoseconds) / 1e6);
    } catch {
      // a thread that ended just now
    }
  }
  return times;
}

async function ps(pid: number, column: string, pattern: RegExp): Promise<(string | undefined)[]> {
  if (Deno.build.os === "windows") return [];
  const args = ["-o", `${column}=`, "-p", String(pid)];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  return new TextDecoder().decode(stdout).match(pattern) ?? [];
}
