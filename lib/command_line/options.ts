import { LOG_LEVELS } from "../log.ts";

/** An option of the command line. */
export interface Option {
  /** What stands for its value in the help; a switch has none. */
  readonly value?: string;
  /** The variable that may be set instead. */
  readonly variable?: string;
  /** Its value where none is given. */
  readonly standard?: string;
  /** All values that it may have, where those are few. */
  readonly choices?: readonly string[];
  /** One letter that is short for it. */
  readonly letter?: string;
  /** What it does, in a few words. */
  readonly help: string;
}

/** As part of what the agent says, as its thoughts, or not at all. */
export const PROGRESS_MODES = ["message", "thought", "off"] as const;
export type ProgressMode = (typeof PROGRESS_MODES)[number];

/** Every option, of whatever command; `commands.ts` says which command takes which. */
export const OPTIONS = {
  "host": {
    value: "URL",
    variable: "PATBA_HOST",
    standard: "https://d33ib4uu7f4xpi.cloudfront.net",
    help: "address of the agent service",
  },
  "demo": { help: "use the built-in practice service: no key, no network" },
  "turn-timeout": {
    value: "S",
    variable: "PATBA_TURN_TIMEOUT",
    standard: "900",
    help: "give up a turn after so many seconds",
  },
  "request-timeout": {
    value: "S",
    variable: "PATBA_REQUEST_TIMEOUT",
    standard: "30",
    help: "give up a request that is not answered",
  },
  "reattach-timeout": {
    value: "S",
    variable: "PATBA_REATTACH_TIMEOUT",
    standard: "60",
    help: "give up reaching a run that is lost",
  },
  "max-prompt": {
    value: "BYTES",
    variable: "PATBA_MAX_PROMPT",
    standard: "102400",
    help: "refuse larger prompts; 0: no limit",
  },
  "progress": {
    value: "MODE",
    variable: "PATBA_PROGRESS",
    standard: "message",
    choices: PROGRESS_MODES,
    help: "show it as message, thought, or off",
  },
  "out-dir": {
    value: "PATH",
    variable: "PATBA_OUT_DIR",
    standard: "articles",
    help: "save the agent's files there",
  },
  "allow-any-path": { help: "let the agent choose a place outside that folder" },
  "no-history": { help: "keep nothing of the sessions" },
  "history-sessions": {
    value: "N",
    variable: "PATBA_HISTORY_SESSIONS",
    standard: "500",
    help: "keep so many sessions at the most",
  },
  "history-days": {
    value: "N",
    variable: "PATBA_HISTORY_DAYS",
    standard: "90",
    help: "keep them for so many days at the most",
  },
  "log-level": {
    value: "LEVEL",
    variable: "PATBA_LOG_LEVEL",
    standard: "error",
    choices: LOG_LEVELS,
    help: "error, info, debug, or trace",
  },
  "log-file": {
    value: "PATH",
    variable: "PATBA_LOG_FILE",
    help: "log to a file instead of stderr",
  },
  "bridge": { letter: "b", help: "serve an editor, even where stdin is a terminal" },
  "turn": { help: "send a prompt, too, and wait for its reply" },
  "json": { help: "print the findings as JSON" },
  "resume": { help: "go on with the last session of this folder, or with SESSION" },
  "write": { help: "put it into the editor's settings file" },
  "remove": { help: "take it out of the editor's settings file" },
  "help": { letter: "h", help: "print the help of a command" },
  "version": { help: "print the version" },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/** An option that takes a value. */
export type Valued = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { value: string } ? Name : never;
}[OptionName];
/** An option that is there or not. */
export type Switch = Exclude<OptionName, Valued>;

/** The options that a command was given. */
export type GivenOptions = Partial<Record<Switch, true> & Record<Valued, string>>;

/** The option of that name. */
export function option(name: OptionName): Option {
  return OPTIONS[name];
}

export const OPTION_NAMES = Object.keys(OPTIONS).filter(isOptionName);

export function isValued(name: OptionName): name is Valued {
  return "value" in OPTIONS[name];
}

export function isSetting(name: OptionName): name is Setting {
  return "variable" in OPTIONS[name];
}

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name);
}

/** An option that a variable can be set instead of. */
export type Setting = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { variable: string } ? Name : never;
}[OptionName];
/** A variable that is read. */
export type Variable = "PATBA_API_KEY" | (typeof OPTIONS)[Setting]["variable"];

/** The names of the variables that are read. */
export const VARIABLES: readonly Variable[] = [
  "PATBA_API_KEY",
  ...Object.values(OPTIONS).flatMap((each) => "variable" in each ? [each.variable] : []),
];
/** The values of the variables: of the environment, or of a `.env` file. */
export type Variables = Partial<Record<Variable, string | undefined>>;
