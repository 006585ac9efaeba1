/** The variables that the folders of a user depend on. */
export const USER_VARIABLES = ["HOME", "XDG_CONFIG_HOME", "APPDATA"] as const;

/** What the folders of a user depend on; an empty variable counts as none. */
export interface UserEnvironment
  extends Partial<Record<(typeof USER_VARIABLES)[number], string | undefined>> {
  /** As `Deno.build.os` says it. */
  os: string;
}

const NAME = "patb-cli-bridge";

/**
 * The folder of the user's configuration of this program, if the user has one: on Linux
 * `$XDG_CONFIG_HOME` or `~/.config` (https://specifications.freedesktop.org/basedir-spec), on macOS
 * `~/Library/Application Support`, on Windows `%APPDATA%`.
 */
export function configFolder(user: UserEnvironment): string | undefined {
  const { os, HOME, XDG_CONFIG_HOME, APPDATA } = user;
  if (os === "windows") return APPDATA ? `${APPDATA}\\${NAME}` : undefined;
  // The specification wants paths that are relative to be ignored.
  if (XDG_CONFIG_HOME?.startsWith("/")) return `${XDG_CONFIG_HOME}/${NAME}`;
  if (!HOME?.startsWith("/")) return undefined;
  return os === "darwin"
    ? `${HOME}/Library/Application Support/${NAME}`
    : `${HOME}/.config/${NAME}`;
}
