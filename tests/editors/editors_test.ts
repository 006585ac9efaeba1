import assert from "node:assert/strict";
import { EDITORS } from "../../lib/editors/editors.ts";
import { EDITOR_NAMES, type EditorName } from "../../lib/editors/names.ts";
import type { UserEnvironment } from "../../lib/user_folders.ts";

Deno.test("EDITORS has every editor, and a snippet of each that ends its last line", () => {
  assert.deepEqual(Object.keys(EDITORS), [...EDITOR_NAMES]);
  for (const { snippet } of Object.values(EDITORS)) {
    assert.match(snippet({ command: "/b", args: [], env: {} }), /\S\n$/);
  }
});

Deno.test("EDITORS says where each system keeps the settings", () => {
  const flatpak = "/home/me/.var/app/dev.zed.Zed/config/zed/settings.json";
  const table: [EditorName, UserEnvironment, string[] | undefined][] = [
    ["zed", { os: "linux", HOME: "/home/me" }, ["/home/me/.config/zed/settings.json", flatpak]],
    ["zed", { os: "linux", HOME: "/home/me", XDG_CONFIG_HOME: "/xdg" }, [
      "/xdg/zed/settings.json",
      flatpak,
    ]],
    ["zed", { os: "linux", HOME: "/home/me", XDG_CONFIG_HOME: "relative" }, [
      "/home/me/.config/zed/settings.json",
      flatpak,
    ]],
    ["zed", { os: "linux", XDG_CONFIG_HOME: "/xdg" }, ["/xdg/zed/settings.json"]],
    ["zed", { os: "linux", HOME: "" }, []],
    ["zed", { os: "darwin", HOME: "/Users/me", XDG_CONFIG_HOME: "/xdg" }, [
      "/Users/me/.config/zed/settings.json",
    ]],
    ["zed", { os: "windows", APPDATA: "C:\\Roaming", HOME: "/c/me" }, [
      "C:\\Roaming\\Zed\\settings.json",
    ]],
    ["zed", { os: "windows" }, []],
    ["jetbrains", { os: "linux", HOME: "/home/me" }, ["/home/me/.jetbrains/acp.json"]],
    ["jetbrains", { os: "darwin", HOME: "/Users/me" }, ["/Users/me/.jetbrains/acp.json"]],
    ["jetbrains", { os: "windows", USERPROFILE: "C:\\me", HOME: "/c/me" }, [
      "C:\\me\\.jetbrains\\acp.json",
    ]],
    ["jetbrains", { os: "linux" }, []],
    ["codecompanion", { os: "linux", HOME: "/home/me" }, undefined],
    ["avante", { os: "linux", HOME: "/home/me" }, undefined],
    ["agent-shell", { os: "linux", HOME: "/home/me" }, undefined],
  ];
  for (const [name, user, paths] of table) {
    assert.deepEqual(EDITORS[name].settings?.paths(user), paths, JSON.stringify([name, user]));
  }
});
