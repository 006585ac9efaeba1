// @ts-types="../declarations/parse_args.d.ts"
import { parseArgs } from "@std/cli/parse-args";
import {
  command,
  COMMAND_NAMES,
  type CommandName,
  isCommandName,
  optionsOf,
  SETTINGS,
} from "./commands.ts";
import {
  type GivenOptions,
  isOptionName,
  isValued,
  option,
  OPTION_NAMES,
  type OptionName,
} from "./options.ts";
import { PROGRAM } from "../program.ts";
import { suggestion } from "./suggestion.ts";
import { UsageError } from "./usage_error.ts";

/** A command line that was understood. */
export interface CommandLine {
  /** The command; `serve` where none was named. */
  command: CommandName;
  /** Whether the command was named. */
  named: boolean;
  /** What follows the command, if it takes an argument and has one. */
  argument: string | undefined;
  options: GivenOptions;
}

const VALUED = OPTION_NAMES.filter(isValued);
const SWITCHES = OPTION_NAMES.filter((name) => !isValued(name));
const LETTERS = Object.fromEntries(
  OPTION_NAMES.flatMap((name) => {
    const { letter } = option(name);
    return letter === undefined ? [] : [[letter, name]];
  }),
);

/**
 * Reads the command line: options may stand anywhere, and a flag of another command is refused.
 *
 * @throws {UsageError} on an unknown command, option or argument, or an option without its value
 */
export function readCommandLine(args: string[]): CommandLine {
  const { words, options, unknown } = parse(args);
  const [first, argument, extra] = words;
  const name = first ?? "serve";
  if (!isCommandName(name)) throw unknownArgument(name, COMMAND_NAMES);
  const allowed = optionsOf(name);
  if (unknown !== undefined) {
    throw unknownArgument(
      unknown,
      allowed.map((each) => `--${each}`),
      name,
    );
  }
  for (const given of Object.keys(options).filter(isOptionName)) {
    if (!allowed.includes(given)) throw misplaced(given, name);
    if (options[given] === "") {
      throw new UsageError(`--${given} needs a value: "${PROGRAM} help ${name}" says which`);
    }
  }
  if (!options.help) checkArgument(name, argument);
  if (extra !== undefined) throw unknownArgument(extra, []);
  checkTogether(name, argument, options);
  return { command: name, named: first !== undefined, argument, options };
}

/** The settings among the options, as arguments of another command line. */
export function settingsArguments(options: GivenOptions): string[] {
  return SETTINGS.flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}`, value];
  });
}

function parse(args: string[]) {
  let unknown: string | undefined;
  const { _: rest, ...flags } = parseArgs(args, {
    boolean: SWITCHES,
    string: [...VALUED, "_"], // words stay as they are, if they look like numbers, too
    alias: LETTERS,
    unknown(arg, key) {
      if (key !== undefined) unknown ??= arg;
      return key === undefined;
    },
  });
  const switched = args.find((arg) => SWITCHES.some((name) => arg.startsWith(`--${name}=`)));
  if (switched !== undefined) throw new UsageError(`${switched.split("=")[0]} takes no value`);
  const words = rest.map(String);
  // "-", which is no flag of anyone's, is left out of the rest by the parser.
  if (args.includes("-")) words.push("-");
  const options: GivenOptions = {};
  for (const name of OPTION_NAMES) {
    const value = flags[name];
    if (typeof value === "string" && isValued(name)) options[name] = value;
    if (value === true && !isValued(name)) options[name] = true;
  }
  return { words, options, unknown };
}

function checkArgument(name: CommandName, argument: string | undefined): void {
  const takes = command(name).argument;
  const choices = name === "help" ? COMMAND_NAMES : takes?.choices;
  if (argument === undefined) {
    if (takes === undefined || takes.optional) return;
    throw new UsageError(`${name} needs a ${takes.name}: ${choices?.join(", ")}`);
  }
  if (takes === undefined) throw unknownArgument(argument, []);
  if (choices?.includes(argument) === false) throw unknownArgument(argument, choices);
}

/** Refuses what makes no sense together. */
function checkTogether(
  name: CommandName,
  argument: string | undefined,
  { resume, write, remove }: GivenOptions,
): void {
  if (write && remove) throw new UsageError("--write and --remove are opposites: give one of them");
  if (name === "chat" && argument !== undefined && !resume) {
    throw new UsageError(`chat takes "${argument}" only with --resume`);
  }
}

function misplaced(given: OptionName, name: CommandName): UsageError {
  const owners = COMMAND_NAMES.filter((each) => optionsOf(each).includes(given));
  return new UsageError(`--${given} is an option of ${owners.join(", ")}, not of ${name}`);
}

function unknownArgument(arg: string, names: readonly string[], name?: CommandName): UsageError {
  const of = name === undefined ? "" : ` ${name}`;
  const [word = ""] = arg.split("="); // what follows may be a secret
  const meant = suggestion(word, names);
  const advice = meant === undefined
    ? `"${PROGRAM} help${of}" says what there is`
    : `did you mean ${meant}?`;
  return new UsageError(`Unknown argument "${word}": ${advice}`);
}
