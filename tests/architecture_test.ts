import assert from "node:assert/strict";

/** The floors of the house, the lowest first; a file imports only from floors below its own. */
const FLOORS = [
  ["program.ts"],
  [
    "declarations/",
    "clock.ts",
    "log.ts",
    "service/limits.ts",
    "user_folders.ts",
    "linked.ts",
    "terminal.ts",
    "network_variables.ts",
    "long_text.ts",
    "byte_buffer.ts",
    "command_line/usage_error.ts",
    "editors/names.ts",
    "editors/quote.ts",
  ],
  [
    "json.ts",
    "service/long_strings.ts",
    "command_line/options.ts",
    "command_line/suggestion.ts",
  ],
  ["command_line/commands.ts", "surroundings.ts"],
  ["command_line/command_line.ts", "command_line/help.ts", "command_line/completions.ts"],
  ["artifacts.ts", "credentials.ts", "line_editor.ts", "file_bytes.ts"],
  ["prompt_secret.ts"],
  ["one_line.ts"],
  ["errors.ts"],
  ["key_store.ts"],
  ["parse.ts", "jsonl.ts", "config.ts", "acp/by_name.ts"],
  ["acp/handshake_schema.ts", "acp/schema.ts"],
  [
    "rpc.ts",
    "line_block.ts",
    "parse_dotenv.ts",
    "service/events.ts",
    "service/sse.ts",
    "service/byte_stream.ts",
  ],
  [
    "log_writer.ts",
    "login.ts",
    "dotenv.ts",
    "connection.ts",
    "service/answer.ts",
  ],
  ["editors/snippets.ts", "editors/settings_tree.ts", "editors/settings_file.ts"],
  ["editors/editors.ts", "editors/settings_layout.ts", "editors/shown_diff.ts"],
  ["editors/settings_edits.ts"],
  ["editors/settings_text.ts"],
  ["editors/command.ts"],
  ["service/failures.ts", "session_record.ts"],
  ["service/wait_for.ts", "history.ts"],
  ["service/http.ts", "service/journey.ts", "service/shown.ts", "acp/updates.ts"],
  ["service/event_reader.ts"],
  ["service/client.ts", "service/demo.ts"],
  ["service/run.ts"],
  ["service/threads.ts"],
  ["remote_service.ts"],
  ["acp/agent.ts"],
  ["acp/authenticate.ts", "acp/list_sessions.ts", "acp/files.ts"],
  ["acp/initialize.ts", "acp/agents.ts", "acp/sessions.ts", "acp/prompt.ts"],
  ["acp/methods.ts"],
  ["acp/dispatch.ts"],
  ["serve.ts"],
  ["api_key.ts", "lifetime.ts"],
  ["parts.ts"],
  ["chat/prompts.ts", "chat/spinner.ts", "chat/terminal_text.ts", "conversation.ts"],
  ["chat/chat.ts"],
  ["doctor/finding.ts"],
  ["doctor/settings.ts", "doctor/folders.ts", "doctor/network.ts", "doctor/report.ts"],
  ["doctor/doctor.ts"],
  ["run_command.ts"],
  ["../main.ts"],
  // What makes a release: a house of its own.
  [
    "release/targets.ts",
    "release/errors.ts",
    "release/archive.ts",
    "release/checksums.ts",
    "release/compile.ts",
    "release/packages.ts",
  ],
  ["release/options.ts", "release/registry.ts", "release/sbom.ts"],
  ["release/release.ts"],
  ["release/main.ts"],
];

/** What a file must not import, whatever the floors say. */
const WALLS: [RegExp, RegExp][] = [
  [/^(rpc|connection|jsonl)\.ts$/, /^(acp|service)\//],
  [/^service\//, /^(acp\/|rpc\.ts|connection\.ts)/],
  [/^acp\/(?!updates)/, /^service\/events\.ts$/],
  [/^(?!(chat|doctor|editors)\/)(?!run_command|.*main)/, /^(chat|doctor|editors)\//],
  [/^editors\//, /^(acp|service)\/|^(rpc|connection)\.ts$/],
  [/^release\//, /^(?!release\/)/],
  [/^(?!release\/)/, /^release\//],
];

/** The files that may touch the process. */
const PROGRAMS = ["../main.ts", "release/main.ts"];

/** The longest file, in lines. */
const MAX_LINES = 250;

const LIB = new URL("../lib/", import.meta.url);

function files(folder: URL, prefix = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? files(new URL(`${name}/`, folder), `${prefix}${name}/`) : [prefix + name]
  );
}

const modules = [...files(LIB).filter((file) => file.endsWith(".ts")), "../main.ts"];

const sources = new Map(
  modules.map((file) => [file, Deno.readTextFileSync(new URL(file, LIB))]),
);

function imports(file: string): string[] {
  const from = new URL(file, LIB);
  const paths = sources.get(file)?.matchAll(/(?:from |import\(|@ts-types=)"(\.[^"]+)"/g) ?? [];
  return [...paths].map(([, path = ""]) => new URL(path, from).href.slice(LIB.href.length))
    .filter((path) => path !== "");
}

function floor(file: string): number {
  return FLOORS.findIndex((rooms) =>
    rooms.some((room) => room.endsWith("/") ? file.startsWith(room) : file === room)
  );
}

Deno.test("every file has a floor, and imports only from those below", () => {
  for (const file of sources.keys()) {
    assert.notEqual(floor(file), -1, `${file} has no floor`);
    for (const imported of imports(file)) {
      if (!sources.has(imported)) continue; // deno.json
      assert.ok(floor(imported) < floor(file), `${file} imports ${imported}`);
    }
  }
});

Deno.test("no import goes through a wall", () => {
  for (const file of sources.keys()) {
    for (const [inside, outside] of WALLS) {
      if (!inside.test(file)) continue;
      for (const imported of imports(file)) {
        if (!sources.has(imported)) continue; // deno.json
        assert.doesNotMatch(imported, outside, `${file} imports ${imported}`);
      }
    }
  }
});

/** What is loaded with a file. */
function loadedWith(file: string): Set<string> {
  const loaded = new Set([file]);
  for (const each of loaded) {
    const from = new URL(each, LIB);
    const text = sources.get(each)?.replace(/^(import|export) type [^;]*;/gm, "") ?? "";
    for (const [, path = ""] of text.matchAll(/ from "(\.[^"]+)"/g)) {
      loaded.add(new URL(path, from).href.slice(LIB.href.length));
    }
  }
  return loaded;
}

Deno.test("the start loads nothing that only sessions and other commands need", () => {
  const loaded = [...loadedWith("../main.ts")];
  assert.ok(loaded.includes("acp/initialize.ts"));
  const late =
    /^(acp\/(methods|schema|prompt|sessions|updates)\.ts|service\/|chat\/|doctor\/|editors\/)/;
  assert.deepEqual(loaded.filter((file) => late.test(file)), []);
});

Deno.test("only a main.ts touches the process, and no file is too long", () => {
  for (const [file, text] of sources) {
    assert.ok(text.split("\n").length <= MAX_LINES, `${file} is too long`);
    if (PROGRAMS.includes(file)) continue;
    assert.doesNotMatch(text, /\bDeno\.(args|env|exit|std\w+)\b|\bprocess\.|\bconsole\./, file);
  }
});
