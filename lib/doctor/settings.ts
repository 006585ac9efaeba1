import { isSetting, option } from "../command_line/options.ts";
import { SETTINGS } from "../command_line/commands.ts";
import { findSetting, type Found, readConfig, type Sources } from "../config.ts";
import { oneLine } from "../one_line.ts";
import { type Finding, look, shownValue, type Value } from "./finding.ts";

/** The shortest key of which something is shown, in characters: half of it at the most. */
const MIN_SHOWN = 16;

/** Every setting that takes a value. */
const VALUED = SETTINGS.filter(isSetting);

/** The configuration: whether it can be read, and where each value comes from. */
export async function settingsFinding(sources: Sources, key: Found | undefined): Promise<Finding> {
  const finding = await look("settings", () => {
    readConfig(sources);
    return "the configuration, and where each value comes from";
  });
  const values = VALUED.map((name): Value => {
    const found = findSetting(name, sources);
    if (found !== undefined) return { name, value: shownValue(found.value), source: origin(found) };
    const { standard } = option(name);
    return standard === undefined
      ? { name, value: "none" }
      : { name, value: standard, source: "default" };
  });
  const shownKey: Value = key === undefined
    ? { name: "key", value: "none" }
    : { name: "key", value: maskKey(key.value), source: origin(key) };
  return { ...finding, values: [shownKey, ...values] };
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
  if (key.length < MIN_SHOWN || oneLine(key, key.length) !== key) {
    return `of ${key.length} characters`;
  }
  return `${key.slice(0, 4)}…${key.slice(-4)}`;
}
