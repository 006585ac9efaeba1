import * as z from "zod/mini";
import { BridgeError, type Fault } from "./errors.ts";

/**
 * Parses a value from outside by its schema.
 *
 * @param what what the value is, for the message, such as `params of session/prompt`
 * @throws {BridgeError} of the given fault, naming the first member that does not fit
 */
export function parse<T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  fault: Fault,
  what: string,
): z.output<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BridgeError(
    fault,
    `Invalid ${what}: ${issue ? describe(issue) : "not as expected"}`,
  );
}

/** Says which member an issue is about, and what was expected there. */
function describe(issue: z.core.$ZodIssue, within: PropertyKey[] = []): string {
  const path = [...within, ...issue.path];
  if (issue.code === "invalid_union") {
    const branch = meantBranch(issue.errors);
    const [deepest] = branch.toSorted((one, other) => other.path.length - one.path.length);
    if (deepest !== undefined && deepest.path.length > 0) return describe(deepest, path);
  }
  const name = path.map(String).join(".");
  return name === "" ? expectation(issue) : `"${name}": ${expectation(issue)}`;
}

function expectation(issue: z.core.$ZodIssue): string {
  // A schema's own message, where it has one, says more than the issue's type.
  if (issue.message !== "" && issue.message !== "Invalid input") return issue.message;
  if (issue.code === "invalid_type") return `expected ${issue.expected}`;
  if (issue.code === "invalid_value") return `expected ${issue.values.map(String).join(" or ")}`;
  if (issue.code !== "invalid_union") return "not as expected";
  const kinds = issue.errors.flat().map((each) => expectation(each).replace(/^expected /, ""));
  return `expected ${[...new Set(kinds)].join(" or ")}`;
}

/** The branch of a union that was meant: the one that got furthest, and had least against it. */
function meantBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const depth = (issues: z.core.$ZodIssue[]) =>
    issues.reduce((most, { path }) => Math.max(most, path.length), 0);
  const [meant = []] = branches.toSorted((one, other) =>
    depth(other) - depth(one) || one.length - other.length
  );
  return meant;
}
