import { parse } from "dotenv";
import type { Variables } from "./config.ts";

/** Reads the text of a `.env` file (https://github.com/motdotla/dotenv#rules). */
export function parseDotenv(text: string): Variables {
  return parse(text);
}
