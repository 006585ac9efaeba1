import {
  command,
  COMMAND_NAMES,
  type CommandName,
  isShell,
  optionsOf,
  type Shell,
} from "./commands.ts";
import { PROGRAM } from "../program.ts";
import { option, type OptionName } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** The scripts that complete commands and options, made of the tables alone. */
const SCRIPTS: Record<Shell, () => string> = { bash, zsh, fish, powershell };

/**
 * The script for a shell; it need not start the program to know what there is.
 *
 * @throws {UsageError} for another shell
 */
export function completions(shell: string | undefined): string {
  if (isShell(shell)) return SCRIPTS[shell]();
  throw new UsageError(`There are no completions for the shell "${shell}"`);
}

/** What may follow a command: its argument, if it has few values, and its options. */
function wordsOf(name: CommandName): string[] {
  return [...argumentsOf(name), ...optionsOf(name).map(flag)];
}

function argumentsOf(name: CommandName): readonly string[] {
  return name === "help" ? COMMAND_NAMES : command(name).argument?.choices ?? [];
}

/** What may follow the program's name, which alone is `serve`. */
const FIRST = [...COMMAND_NAMES, ...optionsOf("serve").map(flag)];

function flag(name: OptionName): string {
  return `--${name}`;
}

/** The options with a value, by what is known of it. */
const VALUED = optionsOf("serve").filter((name) => option(name).value !== undefined);
const CHOSEN = VALUED.filter((name) => option(name).choices !== undefined);
const PATHS = VALUED.filter((name) => option(name).value === "PATH");
const FREE = VALUED.filter((name) => !CHOSEN.includes(name) && !PATHS.includes(name));

function choicesOf(name: OptionName): string {
  return (option(name).choices ?? []).join(" ");
}

/** The branches of a `case`, in the shells that have it, with what `then` makes of each. */
function branches(lines: (readonly [pattern: string, then: string])[], indent: string): string {
  return lines.map(([pattern, then]) => `${indent}${pattern}) ${then} ;;`).join("\n");
}

function bash(): string {
  const words = (list: readonly string[]) => `words="${list.join(" ")}"`;
  const reply = (what: string) => `COMPREPLY=($(compgen ${what} -- "$word")); return`;
  return `# bash completions of ${PROGRAM}
_patb_cli_bridge() {
  local word=\${COMP_WORDS[COMP_CWORD]} ${words(FIRST)} each
  COMPREPLY=()
  case \${COMP_WORDS[COMP_CWORD-1]} in
${branches(CHOSEN.map((name) => [flag(name), reply(`-W "${choicesOf(name)}"`)]), "    ")}
${
    branches(
      [[PATHS.map(flag).join("|"), reply("-f")], [FREE.map(flag).join("|"), "return"]],
      "    ",
    )
  }
  esac
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $each in
${branches(COMMAND_NAMES.map((name) => [name, words(wordsOf(name))]), "      ")}
      *) continue ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _patb_cli_bridge ${PROGRAM}
`;
}

function zsh(): string {
  const items = (list: readonly string[]) =>
    `items=(${list.map((word) => quoted(`${word}:${helpOf(word)}`)).join(" ")})`;
  return `#compdef ${PROGRAM}
_${PROGRAM}() {
  local -a items
  local each
  case $words[CURRENT-1] in
${branches(CHOSEN.map((name) => [flag(name), `compadd ${choicesOf(name)}; return`]), "    ")}
${
    branches(
      [[PATHS.map(flag).join("|"), "_files; return"], [FREE.map(flag).join("|"), "return"]],
      "    ",
    )
  }
  esac
  ${items(FIRST)}
  for each in $words[2,CURRENT-1]; do
    case $each in
${branches(COMMAND_NAMES.map((name) => [name, items(wordsOf(name))]), "      ")}
      *) continue ;;
    esac
    break
  done
  _describe '${PROGRAM}' items
}
if [ "$funcstack[1]" = "_${PROGRAM}" ]; then
  _${PROGRAM} "$@"
else
  compdef _${PROGRAM} ${PROGRAM}
fi
`;
}

/** What is said of a word, where it is a command or an option. */
function helpOf(word: string): string {
  const name = COMMAND_NAMES.find((each) => each === word);
  if (name !== undefined) return command(name).summary;
  const given = optionsOf("serve").concat(COMMAND_NAMES.flatMap(optionsOf)).find((each) =>
    flag(each) === word
  );
  return given === undefined ? "" : option(given).help;
}

/** A string of a shell, in quotes; `'` ends them for itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fish(): string {
  const every = [...new Set(COMMAND_NAMES.flatMap(optionsOf))];
  const seen = "__fish_seen_subcommand_from";
  const commands = COMMAND_NAMES.map((name) =>
    `-n __fish_use_subcommand -a ${name} -d "${command(name).summary}"`
  );
  const args = COMMAND_NAMES.flatMap((name) =>
    argumentsOf(name).length === 0
      ? []
      : [`-n "${seen} ${name}" -a "${argumentsOf(name).join(" ")}"`]
  );
  const options = every.map((name) => {
    const [with_, without] = [true, false].map((takes) =>
      COMMAND_NAMES.filter((each) => optionsOf(each).includes(name) === takes).join(" ")
    );
    const bare = optionsOf("serve").includes(name);
    const when = bare ? without && `-n "not ${seen} ${without}" ` : `-n "${seen} ${with_}" `;
    const value = PATHS.includes(name)
      ? " -r -F"
      : CHOSEN.includes(name)
      ? ` -x -a "${choicesOf(name)}"`
      : FREE.includes(name)
      ? " -x"
      : "";
    return `${when}-l ${name}${value} -d "${option(name).help}"`;
  });
  const lines = ["-f", ...commands, ...args, ...options];
  return `# fish completions of ${PROGRAM}\n${
    lines.map((line) => `complete -c ${PROGRAM} ${line}\n`).join("")
  }`;
}

function powershell(): string {
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word}'`).join(", ")})`;
  const table = (rows: [string, readonly string[]][]) =>
    rows.map(([name, words]) => `    '${name}' = ${list(words)}`).join("\n");
  return `# PowerShell completions of ${PROGRAM}
Register-ArgumentCompleter -Native -CommandName ${PROGRAM} -ScriptBlock {
  param($word, $line, $position)
  $values = @{
${table(CHOSEN.map((name) => [flag(name), option(name).choices ?? []]))}
  }
  $commands = @{
${table(COMMAND_NAMES.map((name) => [name, wordsOf(name)]))}
  }
  $before = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -ne '') { $before = @($before | Select-Object -SkipLast 1) }
  $named = @($before | Where-Object { $commands.ContainsKey($_) })
  $choices = ${list(FIRST)}
  if ($named.Count -gt 0) { $choices = $commands[$named[0]] }
  if ($before.Count -gt 0 -and $values.ContainsKey($before[-1])) { $choices = $values[$before[-1]] }
  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_)
  }
}
`;
}
