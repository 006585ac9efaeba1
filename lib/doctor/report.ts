// @ts-types="../declarations/colors.d.ts"
import { dim, green, red } from "@std/fmt/colors";
import type { Finding } from "./finding.ts";

/** The room for a name, in characters. */
const WIDTH = 12;

/** A finding as a line of a table, what belongs to it below; in colours if wanted. */
export function row({ name, ok, detail, values = [] }: Finding, colors: boolean): string {
  const paint = (color: (text: string) => string, text: string) => colors ? color(text) : text;
  const sign = ok ? paint(green, "✓") : paint(red, "✗");
  const inner = Math.max(0, ...values.map((each) => each.name.length));
  const lines = [
    `${sign} ${name.padEnd(WIDTH)}  ${detail}`,
    ...values.map((each) => {
      const source = each.source === undefined ? "" : ` (${each.source})`;
      return paint(dim, `    ${each.name.padEnd(inner)}  ${each.value}${source}`);
    }),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** What the findings come to, in a line. */
export function verdict(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ ok }) => !ok);
  if (wrong.length === 0) return "All is well.";
  const names = wrong.map(({ name }) => name).join(", ");
  return isWell(findings)
    ? `All that is needed works; not as it should be: ${names}.`
    : `Not as it should be: ${names}.`;
}

/** Whether all that is needed works. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ ok, optional }) => ok || optional);
}

/** The findings as JSON, for a program or a report of a fault. */
export function json(findings: readonly Finding[]): string {
  const rows = findings.map(({ name, ok, optional = false, detail, values }) => ({
    name,
    ok,
    optional,
    detail,
    ...values && {
      values: Object.fromEntries(values.map(({ name, ...rest }) => [name, rest])),
    },
  }));
  return `${JSON.stringify({ ok: isWell(findings), findings: rows }, undefined, 2)}\n`;
}
