/** The part of `@std/cli`'s `parseArgs` in use; the package on npm has no declarations. */
export function parseArgs(args: string[], options: {
  boolean?: readonly string[];
  string?: readonly string[];
  alias?: Record<string, string>;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}): { _: (string | number)[]; [flag: string]: unknown };
