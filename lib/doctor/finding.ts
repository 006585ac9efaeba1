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
  /** More of it, as pairs of a name and what is said of it. */
  values?: [name: string, value: string][];
}

/** What a check makes of what it finds; its throw is a finding, too. */
export async function look(
  name: string,
  check: () => string | Promise<string>,
): Promise<Finding> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return { name, ok: false, detail: thrown.message };
  }
}
