import assert from "node:assert/strict";
import { isLoopback, readCommand, type Variables } from "../lib/config.ts";
import { parseDotenv } from "../lib/parse_dotenv.ts";

function config(args: string[], environment: Variables = {}, dotenv: Variables = {}) {
  const command = readCommand(args, environment, dotenv);
  assert.ok(command.kind === "serve");
  return command.config;
}

Deno.test("readCommand takes the flag before the environment before the .env file", () => {
  const environment = { PATBA_HOST: "https://environment.test", PATBA_API_KEY: " environment\n" };
  const dotenv = { PATBA_HOST: "https://dotenv.test", PATBA_API_KEY: "read when it is needed" };
  const deployed = "d33ib4uu7f4xpi.cloudfront.net";
  const table: [string[], Variables, Variables, string, string | undefined][] = [
    [["--host", "https://flag.test"], environment, dotenv, "flag.test", "environment"],
    [["--host=https://flag.test"], environment, dotenv, "flag.test", "environment"],
    [[], environment, dotenv, "environment.test", "environment"],
    [[], {}, dotenv, "dotenv.test", undefined],
    [[], { PATBA_HOST: "", PATBA_API_KEY: " \t" }, dotenv, "dotenv.test", undefined],
    [[], {}, {}, deployed, undefined],
  ];
  for (const [args, variables, file, host, apiKey] of table) {
    const read = config(args, variables, file);
    assert.deepEqual([read.host.host, read.apiKey], [host, apiKey]);
  }
});

Deno.test("readCommand takes no path from the .env file", () => {
  const paths = { PATBA_LOG_FILE: "/tmp/log", PATBA_OUT_DIR: "/tmp/out" };
  assert.equal(config([], {}, paths).logFile, undefined);
  assert.equal(config([], {}, paths).outDir, "articles");
  assert.equal(config([], paths, {}).logFile, "/tmp/log");
});

Deno.test("readCommand checks the settings, and says which one is wrong", () => {
  const read = config(["--turn-timeout", "1.5", "--max-prompt", "0", "--log-level", "trace"], {
    PATBA_REQUEST_TIMEOUT: "10",
    PATBA_PROGRESS: "off",
  });
  assert.deepEqual(read.limits, { turn: 1500, request: 10_000, reattach: 60_000, maxPrompt: 0 });
  assert.deepEqual([read.logLevel, read.progress], ["trace", "off"]);
  const table: [string[], RegExp][] = [
    [["--turn-timeout", "0"], /^--turn-timeout must be a number of seconds above 0.*not "0"$/],
    [["--turn-timeout", "soon"], /^--turn-timeout must be/],
    [["--request-timeout", "1e3"], /^--request-timeout must be/],
    [["--reattach-timeout", "99999999"], /^--reattach-timeout must be.*up to 604800/],
    [["--max-prompt", "1.5"], /^--max-prompt must be a number of bytes/],
    [["--log-level", "loud"], /^--log-level must be error, info, debug, trace, not "loud"$/],
    [["--progress", "on"], /^--progress must be message, thought, off/],
    [["--log-file"], /^--log-file needs a value/],
  ];
  for (const [args, message] of table) {
    assert.throws(() => readCommand(args, {}, {}), { name: "ConfigError", message });
  }
  assert.throws(
    () => readCommand([], { PATBA_TURN_TIMEOUT: "x" }, {}),
    /PATBA_TURN_TIMEOUT must be a number of seconds/,
  );
});

Deno.test("readCommand takes every flag", () => {
  assert.equal(config([]).demo, false);
  assert.equal(config(["--demo", "-b"]).demo, true);
  assert.equal(config(["--bridge"]).demo, false);
  assert.equal(config(["--host", "http://127.0.0.1:8080/a/b/"]).host.pathname, "/a/b/");
  for (const flag of ["--help", "-h"]) {
    assert.deepEqual(readCommand([flag], { PATBA_HOST: "no URL" }, {}), { kind: "help" });
  }
  assert.deepEqual(readCommand(["--version"], {}, {}), { kind: "version" });
});

Deno.test("readCommand says what is wrong with the command line", () => {
  const table: [string[], RegExp][] = [
    [["--nope"], /^Unknown argument "--nope"/],
    [["--no-demo"], /^Unknown argument "--no-demo"/],
    [["-x"], /^Unknown argument "-x"/],
    [["-bx"], /^Unknown argument "-bx"/],
    [["--__proto__=1"], /^Unknown argument/],
    [["-"], /^Unknown argument "-"/],
    [["serve"], /^Unknown argument "serve"/],
    [[""], /^Unknown argument ""/],
    [["--", "x"], /^Unknown argument "x"/],
    [["--host"], /^--host needs a value/],
    [["--host="], /^--host needs a value/],
    [["--host", "--demo"], /^--host needs a value/],
    [["--host", "nowhere"], /^--host must be a URL/],
    [["--host", "localhost:8080"], /^--host must be a URL/],
    [["--host", "ftp://files.test"], /^--host must be a URL/],
    [["--host", "http://service.test"], /^--host must be an https:\/\/ URL.*service\.test$/],
    [["--host", "http://127.0.0.1.service.test"], /^--host must be an https/],
    [["--host", "https://service.test?x=1"], /^--host must be a plain URL/],
    [["--host", "https://service.test/#x"], /^--host must be a plain URL/],
  ];
  for (const [args, message] of table) {
    assert.throws(
      () => readCommand(args, {}, {}),
      { name: "ConfigError", message },
      args.join(" "),
    );
  }
  assert.throws(
    () => readCommand([], { PATBA_HOST: "nowhere" }, {}),
    /^ConfigError: PATBA_HOST must/,
  );
  assert.throws(
    () => readCommand(["--host", "https://me:secret@service.test"], {}, {}),
    (thrown: Error) => !thrown.message.includes("secret"),
  );
});

Deno.test("isLoopback knows this machine", () => {
  const table: [string, boolean][] = [
    ["localhost:1", true],
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["[::1]:80", true],
    ["128.0.0.1", false],
    ["localhost.test", false],
    ["127.test", false],
    ["[::2]", false],
    ["0.0.0.0", false],
  ];
  for (const [host, expected] of table) {
    assert.equal(isLoopback(new URL(`http://${host}/`)), expected, host);
  }
});

Deno.test("parseDotenv reads the forms that such files have", () => {
  const text =
    "\ufeff# comment\r\nPATBA_HOST=https://a.test # why\r\nexport PATBA_API_KEY='k # y'\n";
  assert.deepEqual(parseDotenv(text), { PATBA_HOST: "https://a.test", PATBA_API_KEY: "k # y" });
  assert.deepEqual(parseDotenv("no assignment\n=\n"), {});
});
