import { systemClock, within } from "../lib/clock.ts";
import { bridgeCommand } from "./process.ts";

/** For tests that need a pseudo-terminal, which util-linux's `script` makes here. */
export const linux = { ignore: Deno.build.os !== "linux" };

/** How long a terminal may show nothing new before a test fails, in milliseconds. */
const MAX_SILENCE = 10_000;

/** A program at a pseudo-terminal. */
export interface Session {
  /** Presses keys. */
  type(keys: string): Promise<void>;
  /** Waits until the terminal shows something that it did not show before; returns that. */
  until(pattern: RegExp): Promise<string>;
  /** All that it has shown, up to what was waited for. */
  readonly shown: string;
  /** Waits for the end; the exit status, and all that was shown. */
  ended(): Promise<{ status: number; shown: string }>;
}

/** Starts the bridge at a pseudo-terminal of its own; `before` and `redirection` are the shell's. */
export function openTerminal(args: string[], { env = {}, before = "", redirection = "" }: {
  env?: Record<string, string>;
  redirection?: string;
  before?: string;
} = {}): Session {
  const quoted = [...bridgeCommand(), ...args].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", `${before}${quoted} ${redirection}`, "/dev/null"],
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: "/nonexistent",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      TERM: "xterm",
      ...env,
    },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let shown = "";
  let seen = 0;

  async function read(): Promise<boolean> {
    const late = new Error(`nothing more was shown than ${JSON.stringify(shown.slice(seen))}`);
    const { done, value = "" } = await within(systemClock, MAX_SILENCE, output.read(), () => late);
    shown += value;
    return !done;
  }

  return {
    get shown() {
      return shown.slice(0, seen);
    },
    type: (keys) => writer.write(new TextEncoder().encode(keys)),
    async until(pattern) {
      while (true) {
        const fresh = shown.slice(seen);
        const match = fresh.match(pattern);
        if (match?.index !== undefined) {
          seen += match.index + match[0].length;
          return fresh;
        }
        if (!await read()) throw new Error(`it ended, and showed ${JSON.stringify(fresh)}`);
      }
    },
    async ended() {
      while (await read());
      const { code } = await child.status;
      await writer.close().catch(() => {}); // it was closed with the terminal
      return { status: code, shown };
    },
  };
}
