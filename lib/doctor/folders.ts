import { posix, win32 } from "node:path";
import { BridgeError } from "../errors.ts";
import { type Finding, look } from "./finding.ts";

/** Whether a folder can be written; nothing is left in it, and none is made. */
export async function folderFinding(
  name: string,
  folder: string | undefined,
  os: string,
): Promise<Finding> {
  return await look(name, async () => {
    if (folder === undefined) {
      const variable = os === "windows" ? "APPDATA and LOCALAPPDATA" : "HOME";
      throw new BridgeError("internal", `there is no folder for it: set ${variable}`);
    }
    try {
      const place = await nearest(folder, os);
      await Deno.remove(await Deno.makeTempDir({ dir: place }));
      return place === folder ? `${folder} can be written` : `${folder} can be made`;
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      throw new BridgeError(
        "internal",
        `${folder} cannot be written: ${thrown.message}; check who owns it`,
      );
    }
  });
}

/** The folder itself, or the nearest one above it that is there. */
async function nearest(folder: string, os: string): Promise<string> {
  const { dirname } = os === "windows" ? win32 : posix;
  try {
    if (!(await Deno.stat(folder)).isDirectory) throw new Error(`${folder} is no folder`);
    return folder;
  } catch (thrown) {
    const above = dirname(folder);
    if (!(thrown instanceof Deno.errors.NotFound) || above === folder) throw thrown;
    return await nearest(above, os);
  }
}
