import { type Clock, systemClock } from "./clock.ts";
import type { Bridge } from "./serve.ts";

/**
 * How often it is checked that the editor is still there, in milliseconds: hardly more often than
 * the 2 s that are promised, for a process that sleeps needs 1 ms of processor to look.
 */
const PARENT_CHECK = 1800;
/** How long the last lines may take when the bridge is told to end, in milliseconds. */
const LAST_WORDS = 300;

/** Resolves when the bridge has no more time to end in. */
export function lastMoment(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.schedule(LAST_WORDS, resolve));
}

/**
 * Resolves with the exit status when a signal ends the bridge. An interrupt, which reaches the
 * bridge too when it is meant for the editor's whole process group, cancels the turns first.
 */
export function untilSignalled(bridge: Bridge, os: string): Promise<number> {
  return new Promise((resolve) => {
    async function end(status: number): Promise<void> {
      await Promise.race([bridge.stop(), lastMoment(systemClock)]);
      resolve(status);
    }
    Deno.addSignalListener("SIGINT", () => {
      if (bridge.cancelTurns() === 0) end(130);
    });
    onTermination(os, end);
  });
}

/** Calls back with the exit status when the process is told to end. */
export function onTermination(os: string, callback: (status: number) => void): void {
  if (os === "windows") return; // older runtimes know no such signals there
  Deno.addSignalListener("SIGTERM", () => callback(143));
  Deno.addSignalListener("SIGHUP", () => callback(129));
}

/**
 * Resolves with the exit status when the process that started the bridge, whose id was `parent`,
 * has gone; on Windows only stdin tells of that.
 */
export function untilOrphaned(parent: number, os: string): Promise<number> {
  return new Promise((resolve) => {
    if (os === "windows") return;
    setInterval(() => {
      if (Deno.ppid !== parent) resolve(0);
    }, PARENT_CHECK);
  });
}
