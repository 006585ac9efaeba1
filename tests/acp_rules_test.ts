import assert from "node:assert/strict";

const PAGES = "https://agentclientprotocol.com/protocol/v1/";

/** The rules of ACP v1 that an agent keeps: the page that has them, and the test that holds them. */
const RULES: [rule: string, page: string, file: string, test: string][] = [
  [
    "initialize answers the version the agent speaks, whatever was asked",
    "initialization",
    "transcripts/handshake_v1.txt",
    '"protocolVersion":99',
  ],
  [
    "capabilities that are objects are objects, never booleans",
    "initialization",
    "sdk_test.ts",
    "the official client converses with the bridge in memory",
  ],
  [
    "unknown client capabilities are passed over",
    "initialization",
    "acp/authenticate_test.ts",
    "initialize offers the login in a terminal only to clients that can run it",
  ],
  [
    "the first authentication method works without a type",
    "authentication",
    "acp/authenticate_test.ts",
    "initialize offers the login in a terminal only to clients that can run it",
  ],
  [
    "authenticate succeeds, or answers -32000",
    "authentication",
    "acp/authenticate_test.ts",
    "authenticate answers {} when the service takes the key, and otherwise what to do",
  ],
  [
    "session/new without authentication answers -32000",
    "authentication",
    "process_test.ts",
    "main starts without a usable key, and session/new says what to do",
  ],
  [
    "logout ends what was authenticated",
    "authentication",
    "acp/authenticate_test.ts",
    "the key is looked for anew at each session/new, and forgotten by logout",
  ],
  [
    "session/new answers a session id of its own",
    "session-setup",
    "sdk_test.ts",
    "the official client converses with the bridge in memory",
  ],
  [
    "session/load replays the conversation before it answers",
    "session-setup",
    "acp/sessions_test.ts",
    "session/load shows a session of the past again, before it answers",
  ],
  [
    "session/resume does not replay",
    "session-setup",
    "acp/sessions_test.ts",
    "session/resume takes a session up without showing it",
  ],
  [
    "session/close cancels what is running, and frees the session",
    "session-setup",
    "acp/sessions_test.ts",
    "session/close and session/delete end the prompts of a session first",
  ],
  [
    "session/list gives pages with opaque cursors, and refuses foreign ones",
    "session-list",
    "acp/sessions_test.ts",
    "session/list gives the newest first, by folder and page by page",
  ],
  [
    "session/delete succeeds for sessions that are not there",
    "session-delete",
    "acp/sessions_test.ts",
    "session/close and session/delete end the prompts of a session first",
  ],
  [
    "session_info_update brings the title",
    "session-list",
    "acp/sessions_test.ts",
    "session/load shows a session of the past again, before it answers",
  ],
  [
    "a prompt may hold text and resource links, and what was advertised",
    "content",
    "acp/updates_test.ts",
    "promptText joins the blocks with newlines",
  ],
  [
    "blocks that were not advertised are refused",
    "content",
    "acp/updates_test.ts",
    "promptText refuses an empty prompt, and blocks that are no text",
  ],
  [
    "a turn's updates come before its answer",
    "prompt-turn",
    "acp/prompt_test.ts",
    "nothing is said of a turn after its answer, though its events are at hand",
  ],
  [
    "a cancelled prompt answers stopReason cancelled, and no error",
    "prompt-turn",
    "acp/prompt_test.ts",
    "session/cancel ends a prompt at once, at any moment",
  ],
  [
    "a cancelled request answers -32800",
    "cancellation",
    "acp/prompt_test.ts",
    "$/cancel_request cancels the request with just that id",
  ],
  [
    "message ids are unique in a session",
    "prompt-turn",
    "acp/prompt_test.ts",
    "the reply stands in one piece with the answer; message ids are unique",
  ],
  [
    "a tool call tells of the files it touches, with absolute paths",
    "tool-calls",
    "acp/files_test.ts",
    "ACP v1 sees a tool call with the file's place and difference",
  ],
  [
    "fs/write_text_file is used only where the client offers it",
    "file-system",
    "acp/files_test.ts",
    "the editor writes the file where it offers to",
  ],
  [
    "methods that were not advertised answer -32601",
    "overview",
    "sdk_test.ts",
    "the official client converses with the bridge in memory",
  ],
  [
    "notifications and responses have no answer",
    "overview",
    "transcripts/bad_lines.txt",
    '"method":"nobody/knows"',
  ],
  [
    "one JSON object a line, nothing else on stdout",
    "transports",
    "fuzz_test.ts",
    "no line, whatever it is, ends the bridge or gets an answer to another's id",
  ],
];

Deno.test("every rule of ACP v1 has a page and a test that is there", async () => {
  for (const [rule, page, file, test] of RULES) {
    assert.match(PAGES + page, /^https:\/\/agentclientprotocol\.com\/protocol\/v1\/[a-z-]+$/, rule);
    const source = await Deno.readTextFile(new URL(file, import.meta.url));
    assert.ok(source.includes(test), `"${rule}" has no test "${test}" in ${file}`);
  }
});
