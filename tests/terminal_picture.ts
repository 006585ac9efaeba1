/**
 * Draws the README's picture of a terminal: a real session with the practice service, as the
 * terminal shows it while a turn is going on. `deno task picture` writes the file.
 */
import xterm from "@xterm/headless";
import { openTerminal } from "./pseudo_terminal.ts";

/** Where the picture is kept. */
export const PICTURE = new URL("../.github/images/terminal.svg", import.meta.url);

const COLUMNS = 118;
const ROWS = 24;
/** The room of a character, in units of the picture. */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 16;
const COLORS = { background: "#1e1e2e", text: "#cdd6f4", dim: "#7f849c" };
/** The terminal's own colours by their numbers (ECMA-48): green and cyan are in use. */
const PALETTE = new Map([[1, "#f38ba8"], [2, "#a6e3a1"], [6, "#94e2d5"]]);

/** Has the session; returns all that the terminal was sent. */
async function recordSession(): Promise<string> {
  const chat = openTerminal(["chat", "--demo", "--no-history"]);
  await chat.until(/> /);
  await chat.type("Hello!\r");
  await chat.until(/domination.*> /s);
  await chat.type("Teach me protocols, please.\r");
  await chat.until(/Starting agent workflow for: the-brain/);
  const { shown } = chat;
  await chat.type("\u0003");
  await chat.until(/Cancelled.*> /s);
  await chat.type("\u0004");
  await chat.ended();
  const command = "$ patb-cli-bridge chat --demo\r\n";
  return command + shown;
}

/** One run of characters that look alike. */
interface Span {
  column: number;
  text: string;
  color: string;
}

/** The lines that a terminal shows once it was sent the text. */
async function readScreen(text: string): Promise<Span[][]> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines: Span[][] = [];
  for (let row = 0; row < active.length; row++) {
    const line = active.getLine(row);
    const spans: Span[] = [];
    for (let column = 0; line !== undefined && column < COLUMNS; column++) {
      const cell = line.getCell(column);
      const chars = cell?.getChars() ?? "";
      if (cell === undefined || cell.getWidth() === 0) continue;
      const own = cell.isFgPalette() ? PALETTE.get(cell.getFgColor()) : undefined;
      const color = own ?? (cell.isDim() ? COLORS.dim : COLORS.text);
      const last = spans.at(-1);
      if (last?.color === color) last.text += chars || " ";
      else spans.push({ column, text: chars || " ", color });
    }
    lines.push(spans.filter(({ text }) => text.trim() !== ""));
  }
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** Draws a session with the practice service, as an SVG image. */
export async function drawSession(): Promise<string> {
  const lines = await readScreen(await recordSession());
  const width = Math.ceil(COLUMNS * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + 2 * MARGIN;
  const texts = lines.flatMap((spans, row) =>
    spans.map(({ column, text, color }) => {
      const x = (MARGIN + column * CELL.width).toFixed(1);
      const y = MARGIN + (row + 0.75) * CELL.height;
      return `  <text x="${x}" y="${y}" fill="${color}">${escape(text.trimEnd())}</text>`;
    })
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
  <title>patb-cli-bridge chat --demo, in a terminal</title>
  <rect width="100%" height="100%" rx="8" fill="${COLORS.background}"/>
  <g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${texts.join("\n")}
  </g>
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A picture without what differs from run to run: the time, and how far the spinner is. */
export function withoutTime(picture: string): string {
  return picture.replace(/[⠀-⣿] \d+\.\d s/gu, "⠋ 0.0 s");
}

if (import.meta.main) {
  await Deno.mkdir(new URL(".", PICTURE), { recursive: true });
  await Deno.writeTextFile(PICTURE, await drawSession());
}
