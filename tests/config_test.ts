import assert from "node:assert/strict";
import { parse } from "dotenv";
import fc from "fast-check";
import { readCommandLine } from "../lib/command_line/command_line.ts";
import type { Variables } from "../lib/command_line/options.ts";
import { findSetting, findVariable, isLoopback, readConfig } from "../lib/config.ts";
import { parseDotenv } from "../lib/parse_dotenv.ts";

function sources(args: string[], environment: Variables = {}, dotenv: Variables = {}) {
  return { options: readCommandLine(args).options, environment, dotenv };
}

function config(...of: Parameters<typeof sources>) {
  return readConfig(sources(...of));
}

Deno.test("findSetting takes the flag before the environment before the .env file", () => {
  const environment = { PATBA_HOST: "https://environment.test", PATBA_API_KEY: " environment\n" };
  const dotenv = { PATBA_HOST: "https://dotenv.test", PATBA_API_KEY: "dotenv" };
  const flag = { value: "https://flag.test", origin: "flag", name: "--host" };
  const table: [string[], Variables, Variables, unknown][] = [
    [["--host", "https://flag.test"], environment, dotenv, flag],
    [["--host=https://flag.test"], environment, dotenv, flag],
    [[], environment, dotenv, {
      value: "https://environment.test",
      origin: "environment",
      name: "PATBA_HOST",
    }],
    [[], { PATBA_HOST: " \t" }, dotenv, {
      value: "https://dotenv.test",
      origin: ".env",
      name: "PATBA_HOST",
    }],
    [[], {}, {}, undefined],
  ];
  for (const [args, variables, file, found] of table) {
    assert.deepEqual(findSetting("host", sources(args, variables, file)), found);
  }
  assert.equal(findVariable("PATBA_API_KEY", { environment, dotenv })?.value, "environment");
  assert.equal(findVariable("PATBA_API_KEY", { environment: {}, dotenv })?.value, "dotenv");
});

Deno.test("readConfig takes what is standard where nothing is set", () => {
  assert.deepEqual(config([]), {
    demo: false,
    host: new URL("https://d33ib4uu7f4xpi.cloudfront.net"),
    limits: { turn: 900_000, request: 30_000, reattach: 60_000, maxPrompt: 102_400 },
    progress: "message",
    outDir: "articles",
    anyPath: false,
    history: { sessions: 500, age: 90 * 24 * 60 * 60 * 1000 },
    logLevel: "error",
    logFile: undefined,
  });
  assert.equal(config(["--no-history", "--demo"]).history, undefined);
  assert.equal(config(["--host", "http://127.0.0.1:8080/a/b/"]).host.pathname, "/a/b/");
});

Deno.test("readConfig takes no path from the .env file", () => {
  const paths = { PATBA_LOG_FILE: "/tmp/log", PATBA_OUT_DIR: "/tmp/out" };
  assert.equal(config([], {}, paths).logFile, undefined);
  assert.equal(config([], {}, paths).outDir, "articles");
  assert.equal(config([], paths, {}).logFile, "/tmp/log");
});

Deno.test("readConfig checks the settings, and says which one is wrong", () => {
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
    [["--host", "nowhere"], /^--host must be a URL/],
    [["--host", "localhost:8080"], /^--host must be a URL/],
    [["--host", "ftp://files.test"], /^--host must be a URL/],
    [["--host", "http://service.test"], /^--host must be an https:\/\/ URL.*service\.test$/],
    [["--host", "http://127.0.0.1.service.test"], /^--host must be an https/],
    [["--host", "https://service.test?x=1"], /^--host must be a plain URL/],
    [["--host", "https://service.test/#x"], /^--host must be a plain URL/],
    [["--host", "https://service.test/?"], /^--host must be a plain URL/],
  ];
  for (const [args, message] of table) {
    assert.throws(() => config(args), { name: "UsageError", message });
  }
  assert.throws(
    () => config([], { PATBA_TURN_TIMEOUT: "x" }),
    /^UsageError: PATBA_TURN_TIMEOUT must be a number of seconds/,
  );
  assert.throws(
    () => config(["--host", "https://me:secret@service.test"]),
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
  assert.deepEqual(parseDotenv("no assignment\n=\n#A=1\n"), {});
});

Deno.test("parseDotenv reads what the library dotenv reads", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab1 =/.$-_", "\\n", "é", "世") });
  const value = fc.oneof(
    text.filter((each) => !/^\s*["'`]/.test(each)),
    ...['"', "'", "`"].map((quote) =>
      fc.string({ unit: fc.constantFrom(..."ab1 =#$", "\n", "\\n", "é") })
        .map((each) => `${quote}${each}${quote}`)
    ),
  );
  const line = fc.oneof(
    fc.tuple(
      fc.constantFrom("", "  ", "export "),
      fc.constantFrom("A", "PATBA_API_KEY", "b.c-d"),
      fc.constantFrom("=", " = ", "= "),
      value,
      fc.constantFrom("", " # comment", "  "),
    ).map((parts) => parts.join("")),
    fc.constantFrom("", "# comment", "nothing at all"),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const file = lines.join(end);
      assert.deepEqual(parseDotenv(file), parse(file));
    }),
    { numRuns: 1000 },
  );
});
