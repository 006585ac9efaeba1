import { systemClock } from "../lib/clock.ts";
import type { Surroundings } from "../lib/surroundings.ts";
import type { UserEnvironment } from "../lib/user_folders.ts";
import type { Terminal } from "../lib/terminal.ts";

/** Surroundings of a process that is nowhere, and what it complained of. */
export function fakeSurroundings(given: Partial<Surroundings> = {}) {
  const complaints: string[] = [];
  const surroundings: Surroundings = {
    version: "9.9.9",
    environment: {},
    dotenv: () => Promise.resolve({}),
    user: { os: Deno.build.os },
    cwd: () => "/nonexistent",
    clock: systemClock,
    stderr: { write: (bytes) => Promise.resolve(bytes.length) },
    complain: (message) => complaints.push(message),
    bypassProxy() {},
    ...given,
  };
  return { surroundings, complaints };
}

/** A terminal that keeps what is written to it. */
export function fakeTerminal(given: Partial<Terminal> = {}) {
  const printed: string[] = [];
  const noted: string[] = [];
  const terminal: Terminal = {
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
    isInput: false,
    isOutput: false,
    colors: false,
    isNotes: false,
    columns: () => 80,
    ...given,
  };
  return { terminal, stdout: () => printed.join(""), stderr: () => noted.join("") };
}

/** A user of the system at hand, all of whose folders are in one. */
export function homeUser(home: string): UserEnvironment {
  return { os: Deno.build.os, HOME: home, APPDATA: home, LOCALAPPDATA: home };
}
