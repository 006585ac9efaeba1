import { BridgeError } from "../errors.ts";
import type { UserEnvironment } from "../user_folders.ts";
import { type Editor, EDITORS } from "./editors.ts";
import { AGENT_NAME, type AgentCommand, type EditorName } from "./names.ts";
import { readSettingsFile, type SettingsFile, writeSettingsFile } from "./settings_file.ts";
import { addServer, removeServer } from "./settings_text.ts";
import { SettingsError } from "./settings_tree.ts";
import { showDiff } from "./shown_diff.ts";

/** What wiring the bridge into an editor, or out of it, needs. */
export interface EditorCommandOptions {
  editor: EditorName;
  /** Print the snippet, put it into the editor's settings, or take it out of them. */
  action: "print" | "write" | "remove";
  /** How the editor starts this bridge; its `env` is printed only, and never written. */
  agent: AgentCommand;
  /** What the user calls this program. */
  self: string;
  user: UserEnvironment;
  /** Whether a key is kept, or else has to be given before the agent can be used. */
  loggedIn: boolean;
  /** Whether the diff may be coloured. */
  colors: boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Puts text on stdout. */
  print: (text: string) => void;
  /** Tells the user something, in one line. */
  say: (message: string) => void;
}

/**
 * `zed` and the other editors' commands; returns the exit status.
 *
 * @throws {BridgeError} when the settings cannot be changed; then they are as they were
 */
export function runEditorCommand(options: EditorCommandOptions): number {
  const editor = EDITORS[options.editor];
  if (options.action === "print") printSnippet(editor, options);
  else changeSettings(editor, options);
  return 0;
}

function printSnippet(editor: Editor, { agent, print, say }: EditorCommandOptions): void {
  const orWrite = editor.settings === undefined ? "" : ", or let --write do it";
  say(`For ${editor.title}: put this into ${editor.where}${orWrite}.`);
  print(editor.snippet(agent));
}

function changeSettings(editor: Editor, options: EditorCommandOptions): void {
  const { action, agent, now, say } = options;
  const file = readSettingsFile(settingsPaths(editor, options), options.user.os);
  const text = change(file, (text) => {
    if (action === "remove") return removeServer(text, AGENT_NAME);
    const type = editor.settings?.type;
    const { command, args } = agent;
    return addServer(text, AGENT_NAME, { ...(type === undefined ? {} : { type }), command, args });
  });
  if (text === file.text) {
    say(
      action === "write"
        ? `${file.path} has the agent already: nothing was changed.`
        : `${file.path} does not have the agent: nothing was changed.`,
    );
  } else {
    options.print(showDiff(file.path, file.text, text, options.colors));
    const backup = writeSettingsFile(file, text, now());
    say(`${file.path} was written.${backup ? ` As it was before: ${backup}` : ""}`);
  }
  if (action === "remove") return;
  say(
    `Next: ${options.loggedIn ? "" : `run "${options.self} login", and then, `}${editor.next}.`,
  );
}

/** The places where an editor's settings may be. */
function settingsPaths(
  { settings, title }: Editor,
  { editor, self, user }: EditorCommandOptions,
): [string, ...string[]] {
  if (settings === undefined) {
    throw new BridgeError(
      "internal",
      `The settings of ${title} are a program, which only you can change: ` +
        `paste what "${self} ${editor}" prints, or take it out`,
    );
  }
  const [first, ...others] = settings.paths(user);
  if (first !== undefined) return [first, ...others];
  throw new BridgeError(
    "internal",
    `The settings of ${title} cannot be found, for there is no home folder: ` +
      `paste what "${self} ${editor}" prints`,
  );
}

function change({ path, text }: SettingsFile, edit: (text: string) => string): string {
  try {
    return edit(text);
  } catch (thrown) {
    if (!(thrown instanceof SettingsError)) throw thrown;
    throw new BridgeError("internal", `Nothing was changed in ${path}: ${thrown.message}`, {
      cause: thrown,
    });
  }
}
