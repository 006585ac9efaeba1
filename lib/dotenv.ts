import type { Variables } from "./command_line/options.ts";

/** Reads the `.env` file in the working directory, if there is one; `complain` tells of a bad one. */
export async function readDotenv(complain: (message: string) => void): Promise<Variables> {
  let text: string;
  try {
    if (!Deno.statSync(".env").isFile) return {}; // a folder of that name is somebody else's
    text = Deno.readTextFileSync(".env");
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return {};
    complain(`the .env file cannot be read, so it is not used: ${thrown}`);
    return {};
  }
  // Loaded only where there is something to parse: most folders have no such file.
  const { parseDotenv } = await import("./parse_dotenv.ts");
  return parseDotenv(text);
}
