/** Plays random schedules: `deno task soak [HOW MANY] [SEED]`. */
import { checkSchedules } from "./schedules.ts";

const [schedules = "100000", seed = String(Date.now() & 0x7fffffff)] = Deno.args;
await checkSchedules(Number(schedules), Number(seed));
Deno.stdout.writeSync(new TextEncoder().encode(`${schedules} schedules held, seed ${seed}\n`));
