/** A Markdown table, its columns padded as `deno fmt` pads them; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => width(row[column]))));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((most, column) => pad(cells[column] ?? "", most)).join(" | ")} |\n`;
  const [first = "", ...rest] = rows.map(line);
  return first + line(widths.map((most) => "-".repeat(most))) + rest.join("");
}

function pad(cell: string, most: number): string {
  return cell + " ".repeat(most - width(cell));
}

/** No character of the tables is wider than a letter. */
function width(cell = ""): number {
  return [...cell].length;
}
