import * as v from "valibot";
import { BridgeError, type Fault } from "./errors.ts";

/**
 * Parses a value from outside by its schema.
 *
 * @param what what the value is, for the message, such as `params of session/prompt`
 * @throws {BridgeError} of the given fault, naming the first member that does not fit
 */
export function parse<T extends v.GenericSchema>(
  schema: T,
  value: unknown,
  fault: Fault,
  what: string,
): v.InferOutput<T> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new BridgeError(fault, `Invalid ${what}: ${describe(parsed.issues[0])}`);
}

/** Says which member an issue is about, and what was expected there. */
function describe(issue: v.BaseIssue<unknown>, within: string[] = []): string {
  const path = [...within, ...issue.path?.map(({ key }) => String(key)) ?? []];
  const deepest = deepestOf(issue.issues ?? []);
  if (deepest?.path !== undefined) return describe(deepest, path);
  const name = path.join(".");
  if (name === "") return expectation(issue);
  return issue.input === undefined ? `"${name}" is missing` : `"${name}": ${expectation(issue)}`;
}

/** Of the issues of all a union's branches, one of those that got furthest; a wrong value first. */
function deepestOf(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown> | undefined {
  const depth = ({ path }: v.BaseIssue<unknown>) => path?.length ?? 0;
  const isMissing = ({ input }: v.BaseIssue<unknown>) => Number(input === undefined);
  const [deepest] = issues.toSorted((one, other) =>
    depth(other) - depth(one) || isMissing(one) - isMissing(other)
  );
  return deepest;
}

function expectation({ kind, expected, message }: v.BaseIssue<unknown>): string {
  // A check's own message says more than what it is called.
  if (kind === "validation" || expected === null) return message;
  const kinds = expected.replace(/[()]/g, "").split(" | ");
  const isText = kinds.includes("string"); // of which all texts are
  const words = kinds.filter((word) => !isText || !word.startsWith('"')).join(" or ");
  return `expected ${words.replace(/Object|Array/g, (name) => name.toLowerCase())}`;
}
