import {
  type Command,
  command,
  COMMAND_NAMES,
  type CommandName,
  isCommandName,
  SETTINGS,
} from "./commands.ts";
import { PROGRAM } from "../program.ts";
import { type Option, option, type OptionName } from "./options.ts";

/** The help of a command, or of the whole program; it fits a screen of 80 by 24 characters. */
export function helpText(name: string | undefined): string {
  return name !== undefined && isCommandName(name) ? commandHelp(name) : programHelp();
}

function programHelp(): string {
  const commands = COMMAND_NAMES.map((name) => [name, command(name).summary] as const);
  return `${PROGRAM} brings the agent "The Brain" into your code editor.

Usage: ${PROGRAM} [COMMAND] [OPTIONS] | --help | --version

Without a command it serves the editor that starts it. Its key is PATBA_API_KEY
in the environment or a .env file, or else the one that login keeps.

${columns(commands)}

First steps:
${examples(["chat --demo", "login", "zed --write"])}
`;
}

function commandHelp(name: CommandName): string {
  const { summary, about, argument, options, settings } = command(name);
  const isServe = name === "serve";
  const shown: OptionName[] = [...options, ...isServe ? SETTINGS : []];
  const usage = [
    isServe ? `${PROGRAM} [serve]` : `${PROGRAM} ${name}`,
    argument && argumentText(argument),
    (shown.length > 0 || settings) && "[OPTIONS]",
  ].filter(Boolean).join(" ");
  const parts = [
    `Usage: ${usage}\n${sentence(summary)}${about === undefined ? "" : `\n${about}`}`,
    shown.length > 0 && columns(shown.map((each) => [spelling(each), description(option(each))])),
    argument?.choices && `${argument.name}: ${argument.choices.join(", ")}`,
    settings &&
    (isServe
      ? "Each option with a value can be a variable instead: PATBA_OUT_DIR for --out-dir."
      : `It takes the options of serve, too: ${PROGRAM} help serve`),
    `Examples:\n${examples(command(name).examples)}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function argumentText({ name, of, optional }: NonNullable<Command["argument"]>): string {
  if (of !== undefined) return `[--${of} [${name}]]`;
  return optional ? `[${name}]` : name;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** An option as it is written on a command line. */
function spelling(name: OptionName): string {
  const { letter, value } = option(name);
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return letter === undefined ? long : `-${letter}, ${long}`;
}

function description({ help, standard }: Option): string {
  return standard === undefined || standard.includes("://") ? help : `${help} (${standard})`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

function examples(lines: readonly string[]): string {
  return lines.map((line) => `  ${PROGRAM} ${line}`).join("\n");
}
