import { UsageError } from "../command_line/usage_error.ts";
import { BridgeError } from "../errors.ts";
import { oneLine } from "../one_line.ts";

/** What was found of one thing that the bridge needs, or may need. */
export interface Finding {
  /** What was looked at, in a word. */
  name: string;
  /** Whether it is as it should be. */
  ok: boolean;
  /** Whether the bridge can do without it. */
  optional?: true;
  /** What was found, and, where that is wrong, what to do; one line. */
  detail: string;
  /** More of it. */
  values?: Value[];
}

/** A value, and where it comes from. */
export interface Value {
  name: string;
  value: string;
  source?: string;
}

/** The longest line, and the longest value, in characters. */
const MAX_DETAIL = 300;
const MAX_VALUE = 200;

/** What a check finds; the failure that it throws is a finding, too. */
export async function look(
  name: string,
  check: () => string | Promise<string>,
): Promise<Finding> {
  try {
    return { name, ok: true, detail: oneLine(await check(), MAX_DETAIL) };
  } catch (thrown) {
    if (!(thrown instanceof BridgeError) && !(thrown instanceof UsageError)) throw thrown;
    return { name, ok: false, detail: oneLine(thrown.message, MAX_DETAIL) };
  }
}

/** A value as it may be shown: on one line, and, in a URL, without user, password and query. */
export function shownValue(value: string): string {
  const plain = value.replace(/^([a-z0-9+.-]+:\/\/)?.*@/i, "$1***@");
  return oneLine(/^[a-z]+:\/\//i.test(plain) ? plain.replace(/\?.*/, "?***") : plain, MAX_VALUE);
}
