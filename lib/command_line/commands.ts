import type { OptionName } from "./options.ts";

/** A command of the program. */
export interface Command {
  /** What it does, in a few words. */
  readonly summary: string;
  /** What one has to know about it, in lines of 80 characters at the most. */
  readonly about?: string;
  /** What may follow its name, beside options. */
  readonly argument?: {
    readonly name: string;
    /** The option that it belongs to, if to one. */
    readonly of?: OptionName;
    readonly optional: boolean;
    /** All values that it may have, where those are known. */
    readonly choices?: readonly string[];
  };
  /** The options of its own; `SETTINGS` say how the bridge serves. */
  readonly options: readonly OptionName[];
  /** Whether it takes the options of `serve`, too. */
  readonly settings?: true;
  /** Command lines to learn from, without the program's name. */
  readonly examples: readonly string[];
}

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(name: string | undefined): name is Shell {
  return SHELLS.some((shell) => shell === name);
}

/** What the commands of the editors whose settings are data have in common. */
const WRITTEN = {
  about: `It prints them, with the path of this executable; --write puts them in. Comments
and layout stay, a backup is made, and what changes is shown. Options of serve
become arguments there.`,
  options: ["write", "remove"],
  settings: true,
} as const;

/** What the commands of the editors whose settings are programs have in common. */
const PRINTED = {
  about: `It prints them, with the path of this executable, to be pasted. Options of serve
become arguments there.`,
  options: [],
  settings: true,
} as const;

/** Every command, in the order of the help. */
export const COMMANDS = {
  "serve": {
    summary: "serve an editor over stdin and stdout, as without a command",
    options: ["bridge"],
    settings: true,
    examples: ["--demo", "--progress thought --log-level debug --log-file bridge.log"],
  },
  "chat": {
    summary: "talk with the agent here, as an editor would",
    about: `On a terminal: exit, quit or Ctrl-D leave; Ctrl-C cancels the turn, then leaves.
Elsewhere all of stdin is one prompt, and only its reply goes to stdout.`,
    argument: { name: "SESSION", of: "resume", optional: true },
    options: ["resume"],
    settings: true,
    examples: ["chat --demo", "chat --resume", "chat < question.md > answer.md"],
  },
  "doctor": {
    summary: "check all that is needed, and say what to do",
    about: `Its status is 0 only where all that is needed works.`,
    options: ["turn", "json"],
    settings: true,
    examples: ["doctor", "doctor --turn", "doctor --json"],
  },
  "login": {
    summary: "ask for the API key, check it, and keep it",
    about: `The key is read from stdin without being shown, and kept for the user alone.`,
    options: [],
    settings: true,
    examples: ["login", "login < key.txt"],
  },
  "logout": { summary: "forget the key that is kept", options: [], examples: ["logout"] },
  "zed": {
    summary: "print the settings for Zed, or write them",
    ...WRITTEN,
    examples: ["zed", "zed --write", "zed --demo --write", "zed --remove"],
  },
  "jetbrains": {
    summary: "print the settings for JetBrains IDEs, or write them",
    ...WRITTEN,
    examples: ["jetbrains", "jetbrains --write", "jetbrains --remove"],
  },
  "codecompanion": {
    summary: "print the settings for Neovim's codecompanion.nvim",
    ...PRINTED,
    examples: ["codecompanion", "codecompanion --demo"],
  },
  "avante": {
    summary: "print the settings for Neovim's avante.nvim",
    ...PRINTED,
    examples: ["avante", "avante --demo"],
  },
  "agent-shell": {
    summary: "print the settings for Emacs' agent-shell",
    ...PRINTED,
    examples: ["agent-shell", "agent-shell --demo"],
  },
  "completions": {
    summary: "print the completions of a shell",
    about: `For zsh, make ~/.zfunc, and put into ~/.zshrc:
fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit`,
    argument: { name: "SHELL", optional: false, choices: SHELLS },
    options: [],
    examples: [
      "completions bash >> ~/.bashrc",
      "completions zsh > ~/.zfunc/_patb-cli-bridge",
      "completions fish >> ~/.config/fish/config.fish",
      "completions powershell >> $PROFILE",
    ],
  },
  "help": {
    summary: "print the help, or that of a command",
    argument: { name: "COMMAND", optional: true },
    options: [],
    examples: ["help", "help serve"],
  },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

/** The command of that name. */
export function command(name: CommandName): Command {
  return COMMANDS[name];
}

export const COMMAND_NAMES = Object.keys(COMMANDS).filter(isCommandName);

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** The options that say how the bridge serves, in the order of the help. */
export const SETTINGS = [
  "demo",
  "host",
  "turn-timeout",
  "request-timeout",
  "reattach-timeout",
  "max-prompt",
  "progress",
  "out-dir",
  "allow-any-path",
  "no-history",
  "history-sessions",
  "history-days",
  "log-level",
  "log-file",
] as const satisfies readonly OptionName[];

/** Every option that a command takes. */
export function optionsOf(name: CommandName): readonly OptionName[] {
  const { options, settings } = command(name);
  return [...options, ...settings ? SETTINGS : [], "help", ...name === "serve" ? VERSION : []];
}
const VERSION = ["version"] as const;
