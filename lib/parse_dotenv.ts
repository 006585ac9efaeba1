import { parse } from "dotenv";
import type { Variables } from "./command_line/options.ts";

/** Reads the text of a `.env` file (https://github.com/motdotla/dotenv#rules). */
export function parseDotenv(text: string): Variables {
  return parse(text);
}
