import * as v from "valibot";
import { exists } from "./compile.ts";

const Info = v.object({ denoDir: v.string() });

/**
 * The size in bytes of the runtime that `deno compile` puts a program into: that of `DENORT_BIN`,
 * or of the one that Deno keeps in its cache; nothing where there is neither.
 */
export async function baseRuntimeSize(): Promise<number | undefined> {
  const named = Deno.env.get("DENORT_BIN");
  if (named !== undefined && named !== "") return (await Deno.stat(named)).size;
  const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] });
  const { stdout } = await command.output();
  const { denoDir } = v.parse(Info, JSON.parse(new TextDecoder().decode(stdout)));
  const release = `${denoDir}/dl/release/v${Deno.version.deno}`;
  const archive = `${release}/denort-${Deno.build.target}.zip`;
  return await exists(archive) ? unzippedSize(await Deno.readFile(archive)) : undefined;
}

/** What the last entry of an archive's directory says (APPNOTE 6.3.10, 4.3.12). */
export function unzippedSize(archive: Uint8Array<ArrayBuffer>): number | undefined {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  for (let at = archive.length - 46; at >= 0; at--) {
    if (view.getUint32(at) === 0x504b0102) return view.getUint32(at + 24, true);
  }
}
