import type { UserEnvironment } from "../user_folders.ts";
import type { AgentCommand, EditorName } from "./names.ts";
import {
  agentShellSnippet,
  avanteSnippet,
  codecompanionSnippet,
  jetbrainsSnippet,
  zedSnippet,
} from "./snippets.ts";

/** An editor, and how the bridge is wired into it. */
export interface Editor {
  title: string;
  /** Where the snippet goes, in words. */
  where: string;
  /** How a conversation is begun once the agent is in the settings. */
  next: string;
  /** The text that tells the editor of the agent; ends with a newline. */
  snippet: (agent: AgentCommand) => string;
  /** How its settings file is edited, where that is data. */
  settings?: {
    /** Where the file may be, the likeliest first; none where the user has no home folder. */
    paths: (user: UserEnvironment) => string[];
    /** The `type` that an agent of its own needs in there. */
    type?: string;
  };
}

/** All editors that are known, by name. */
export const EDITORS: Record<EditorName, Editor> = {
  zed: {
    title: "Zed",
    where: 'settings.json (command palette: "zed: open settings file")',
    next: 'in the agent panel, start a new thread with "The Brain"',
    snippet: zedSnippet,
    settings: { paths: zedPaths, type: "custom" },
  },
  jetbrains: {
    title: "JetBrains IDEs",
    where: '~/.jetbrains/acp.json (AI Chat: "Add Custom Agent")',
    next: 'in AI Chat, choose "The Brain" as the agent',
    snippet: jetbrainsSnippet,
    settings: { paths: jetbrainsPaths },
  },
  codecompanion: {
    title: "CodeCompanion",
    where: 'the table that is given to require("codecompanion").setup',
    next: ":CodeCompanionChat adapter=the_brain",
    snippet: codecompanionSnippet,
  },
  avante: {
    title: "avante.nvim",
    where: 'the table that is given to require("avante").setup',
    next: ":AvanteAsk",
    snippet: avanteSnippet,
  },
  "agent-shell": {
    title: "agent-shell",
    where: "the init file of Emacs",
    next: 'M-x agent-shell, and choose "The Brain"',
    snippet: agentShellSnippet,
  },
};

/** As Zed's `config_dir` has it; the last one is that of its Flatpak. */
function zedPaths({ os, HOME, XDG_CONFIG_HOME, APPDATA }: UserEnvironment): string[] {
  if (os === "windows") return APPDATA ? [`${APPDATA}\\Zed\\settings.json`] : [];
  const home = HOME?.startsWith("/") ? HOME : undefined;
  const xdg = os !== "darwin" && XDG_CONFIG_HOME?.startsWith("/") ? XDG_CONFIG_HOME : undefined;
  const folder = xdg ?? (home && `${home}/.config`);
  return [
    ...(folder ? [`${folder}/zed/settings.json`] : []),
    ...(home && os !== "darwin" ? [`${home}/.var/app/dev.zed.Zed/config/zed/settings.json`] : []),
  ];
}

function jetbrainsPaths({ os, HOME, USERPROFILE }: UserEnvironment): string[] {
  if (os === "windows") return USERPROFILE ? [`${USERPROFILE}\\.jetbrains\\acp.json`] : [];
  return HOME?.startsWith("/") ? [`${HOME}/.jetbrains/acp.json`] : [];
}
