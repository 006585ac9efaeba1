import { OPTIONS, type Setting } from "../command_line/options.ts";
import { SETTINGS } from "../command_line/commands.ts";
import { findSetting, type Found, readConfig, type Sources } from "../config.ts";
import { oneLine } from "../one_line.ts";
import { type Finding, look } from "./finding.ts";

/** The longest value that is shown, in characters. */
const MAX_VALUE = 200;
/** The shortest key of which something is shown, in characters: half of it at the most. */
const MIN_SHOWN = 16;

/** Every setting that takes a value. */
const VALUED = SETTINGS.filter((name) => "variable" in OPTIONS[name]) as Setting[];

/** The configuration: whether it can be read, and where each value comes from. */
export async function settingsFinding(sources: Sources, key: Found | undefined): Promise<Finding> {
  const finding = await look("settings", () => {
    readConfig(sources);
    return "the configuration, and where each value comes from";
  });
  const values = VALUED.map((name): [string, string] => {
    const found = findSetting(name, sources);
    if (found !== undefined) return [name, `${oneLine(found.value, MAX_VALUE)} (${origin(found)})`];
    return [name, "standard" in OPTIONS[name] ? `${OPTIONS[name].standard} (default)` : "none"];
  });
  const shownKey = key === undefined ? "none" : `${maskKey(key.value)} (${origin(key)})`;
  return { ...finding, values: [["key", shownKey], ...values] };
}

/** Where a value comes from, in words. */
function origin({ origin, name }: Found): string {
  switch (origin) {
    case "flag":
      return name;
    case "environment":
      return `${name} in the environment`;
    case ".env":
      return `${name} in .env`;
    case "login":
      return "kept by login";
  }
}

/** A key as it may be shown: its ends, or, where it is short, how long it is. */
function maskKey(key: string): string {
  const text = oneLine(key, MAX_VALUE);
  if (text.length < MIN_SHOWN || text !== key) return `of ${key.length} characters`;
  return `${key.slice(0, 4)}…${key.slice(-4)}`;
}
