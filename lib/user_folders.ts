import { PROGRAM } from "./program.ts";

/** The variables that the folders of a user depend on. */
export const USER_VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
] as const;

/** What the folders of a user depend on; an empty variable counts as none. */
export interface UserEnvironment
  extends Partial<Record<(typeof USER_VARIABLES)[number], string | undefined>> {
  /** As `Deno.build.os` says it. */
  os: string;
}

/**
 * The folder of the user's configuration of this program, if the user has one: on Linux
 * `$XDG_CONFIG_HOME` or `~/.config` (https://specifications.freedesktop.org/basedir-spec), on macOS
 * `~/Library/Application Support`, on Windows `%APPDATA%`.
 */
export function configFolder(user: UserEnvironment): string | undefined {
  return folder(user, user.XDG_CONFIG_HOME, ".config", user.APPDATA);
}

/**
 * The folder of what this program remembers for the user, likewise: on Linux `$XDG_STATE_HOME` or
 * `~/.local/state`, on Windows `%LOCALAPPDATA%`.
 */
export function stateFolder(user: UserEnvironment): string | undefined {
  return folder(user, user.XDG_STATE_HOME, ".local/state", user.LOCALAPPDATA);
}

function folder(
  { os, HOME }: UserEnvironment,
  xdg: string | undefined,
  withinHome: string,
  windows: string | undefined,
): string | undefined {
  if (os === "windows") return windows ? `${windows}\\${PROGRAM}` : undefined;
  // The specification wants paths that are relative to be ignored.
  if (xdg?.startsWith("/")) return `${xdg}/${PROGRAM}`;
  if (!HOME?.startsWith("/")) return undefined;
  return `${HOME}/${os === "darwin" ? "Library/Application Support" : withinHome}/${PROGRAM}`;
}
