import * as v from "valibot";

/** What a run of the stand-in service brings; its JSON text is the prompt. */
export const Script = v.object({
  /** How many progress events. */
  events: v.number(),
  /** Milliseconds between them; 0 for as fast as they are read. */
  gap: v.number(),
  /** The size of the reply, in bytes. */
  reply: v.number(),
});
export type Script = v.InferOutput<typeof Script>;

/** A moment on a clock that all processes of this machine share, in milliseconds. */
export function moment(): number {
  return performance.timeOrigin + performance.now();
}

/** The status of a progress event: its number, and the moment when it was written. */
export function statusAt(index: number, written: number): string {
  return `step ${index} at @${written.toFixed(3)}`;
}

/** When the event in a line was written; nothing where the line has none. */
export function writtenAt(line: string): number | undefined {
  const written = line.match(/ at @(\d+\.\d+)/)?.[1];
  return written === undefined ? undefined : Number(written);
}
