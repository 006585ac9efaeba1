import type { Clock } from "../clock.ts";
import { oneLine } from "../one_line.ts";

/** One line of a terminal that says what is going on, and for how long. */
export interface Spinner {
  /** Begins to spin, or says something else from now on. */
  show(text: string): void;
  /** Takes the line away; what is written next stands in its place. */
  stop(): void;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** How often it turns, in milliseconds. */
const PACE = 100;
/** The room for the time and what stands around it, in columns. */
const TIME = 14;
/** Back to the line's begin, and clear it (ECMA-48, CR and EL). */
const CLEAR = "\r\u001b[K";

/**
 * Makes a spinner that writes to a terminal.
 *
 * @param columns how wide that is: a line that breaks could not be taken away
 */
export function createSpinner(
  clock: Clock,
  columns: () => number,
  write: (text: string) => void,
): Spinner {
  let text = "";
  let began = 0;
  let turns = 0;
  /** Takes back the next turn, while it spins. */
  let unschedule: (() => void) | undefined;

  function turn(): void {
    const seconds = ((clock.now() - began) / 1000).toFixed(1);
    write(
      `${CLEAR}${FRAMES[turns++ % FRAMES.length]} ${seconds} s  ${
        oneLine(text, Math.max(1, columns() - TIME))
      }`,
    );
    unschedule = clock.schedule(PACE, turn);
  }

  return {
    show(said) {
      text = said;
      if (unschedule !== undefined) return;
      began = clock.now();
      turn();
    },
    stop() {
      if (unschedule === undefined) return;
      unschedule();
      unschedule = undefined;
      write(CLEAR);
    },
  };
}
