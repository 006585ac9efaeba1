import type { Clock } from "./clock.ts";
import type { Variables } from "./command_line/options.ts";
import type { UserEnvironment } from "./user_folders.ts";

/** What the program needs of the process that it is. */
export interface Surroundings {
  /** The program's own version. */
  version: string;
  /** The variables of the environment. */
  environment: Variables;
  /** Reads the `.env` file in the working directory, as it is now. */
  dotenv: () => Promise<Variables>;
  /** Whose folders are used, and on what platform. */
  user: UserEnvironment;
  cwd: () => string;
  clock: Clock;
  /** Where the log goes if not into a file. */
  stderr: Pick<Deno.FsFile, "write">;
  /** Tells the user, in one line, what is wrong. */
  complain: (message: string) => void;
  /** Makes requests to a host without a proxy from now on. */
  bypassProxy: (hostname: string) => void;
}
