/** The editors that the bridge can be wired into, by the names that a user types. */
export const EDITOR_NAMES = ["zed", "jetbrains", "codecompanion", "avante", "agent-shell"] as const;
export type EditorName = (typeof EDITOR_NAMES)[number];

/** The name under which an editor shows the agent. */
export const AGENT_NAME = "The Brain";

/** How an editor starts the agent. */
export interface AgentCommand {
  /** The absolute path of the executable. */
  command: string;
  args: string[];
  /** The variables that it is given, besides those of the editor. */
  env: Record<string, string>;
}
