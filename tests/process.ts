import manifest from "../deno.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url);

/** The command that starts the bridge: a binary where one is to be tested, else from source. */
export function bridgeCommand(): string[] {
  const binary = Deno.env.get("BRIDGE_BINARY");
  if (binary !== undefined && binary !== "") return [Deno.realPathSync(binary)];
  // The flags are those of the README and of `deno task start`.
  const [, ...flags] = manifest.tasks.start.command.split(" ");
  return [Deno.execPath(), ...flags.slice(0, -1), new URL("main.ts", ROOT).href];
}

/** Starts the bridge as an editor would, with nothing of this process's environment but `env`. */
export function startProcess(
  { args = [], env = {}, cwd, history = false }: {
    args?: string[];
    /** Whether it keeps its sessions, in what `env` says is the user's state folder. */
    history?: boolean;
    env?: Record<string, string>;
    cwd?: string;
  } = {},
): Deno.ChildProcess {
  const [program = "", ...rest] = bridgeCommand();
  const kept = [
    "PATH",
    "HOME",
    "DENO_DIR",
    "XDG_CACHE_HOME",
    "TMPDIR",
    "SystemRoot",
    "LOCALAPPDATA",
  ];
  const base = Object.fromEntries(
    kept.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return new Deno.Command(program, {
    args: [...rest, ...history ? [] : ["--no-history"], ...args],
    env: { ...base, XDG_CONFIG_HOME: "/nonexistent", ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(cwd === undefined ? {} : { cwd }),
  }).spawn();
}
