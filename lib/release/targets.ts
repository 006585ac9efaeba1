/** The program's name: that of its archives, of the executable, and of the registry's entry. */
export const NAME = "patb-cli-bridge";

/** A platform that the program is released for. */
export interface Target {
  /** As `deno compile --target` takes it. */
  triple: string;
  /** As the ACP registry and the archives name it: the operating system and the processor. */
  platform: string;
  /** The executable's name. */
  executable: string;
  /** The kind of its archive, which is also the archive's extension. */
  format: "tar.gz" | "zip";
}

function unix(triple: string, platform: string): Target {
  return { triple, platform, executable: NAME, format: "tar.gz" };
}

/**
 * Every platform that the program is released for. The installers and the workflow of a release
 * name the same ones, which the tests check.
 */
export const TARGETS: readonly Target[] = [
  unix("x86_64-unknown-linux-gnu", "linux-x86_64"),
  unix("aarch64-unknown-linux-gnu", "linux-aarch64"),
  unix("x86_64-apple-darwin", "darwin-x86_64"),
  unix("aarch64-apple-darwin", "darwin-aarch64"),
  {
    triple: "x86_64-pc-windows-msvc",
    platform: "windows-x86_64",
    executable: `${NAME}.exe`,
    format: "zip",
  },
];

/** The file name of a target's archive. */
export function archiveName(version: string, { platform, format }: Target): string {
  return `${NAME}-${version}-${platform}.${format}`;
}
