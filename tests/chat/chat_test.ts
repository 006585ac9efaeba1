import assert from "node:assert/strict";
import { chat } from "../../lib/chat/chat.ts";
import { onePrompt, type Prompts } from "../../lib/chat/prompts.ts";
import { type Config, readConfig } from "../../lib/config.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createFakeClock } from "../fake_clock.ts";
import { fakeSurroundings, fakeTerminal, homeUser } from "../surroundings.ts";

const CONFIG: Config = readConfig({
  options: { demo: true, "no-history": true },
  environment: {},
  dotenv: {},
});

/** The machine's own clock, in a hurry. */
const hurried: Clock = {
  now: systemClock.now,
  schedule: (milliseconds, callback) => systemClock.schedule(milliseconds / 100, callback),
};

/** What a chat says in virtual time; `typed` are the prompts, or what Ctrl-C is pressed after. */
async function talk(typed: string[], options: {
  config?: Partial<Config>;
  isTerminal?: boolean;
  resume?: "last" | { sessionId: string };
  home?: string;
  /** Whether the user types nothing more at the end, instead of leaving. */
  thinks?: boolean;
  /** Presses Ctrl-C when so many milliseconds of a turn have passed. */
  interruptAt?: number[];
} = {}) {
  const fake = options.home === undefined ? createFakeClock() : undefined;
  const clock = fake ?? hurried; // a disk has no virtual time
  const isTerminal = options.isTerminal ?? true;
  const { surroundings, complaints } = fakeSurroundings({
    clock,
    cwd: () => "/folder",
    user: options.home === undefined ? { os: "linux" } : homeUser(options.home),
  });
  const { terminal, stdout, stderr } = fakeTerminal({ isInput: isTerminal, isNotes: isTerminal });
  const left = [...typed];
  const interruptAt = options.interruptAt ?? [];
  let closed = 0;
  function prompts(interrupted: () => void): Promise<Prompts> {
    return Promise.resolve({
      next() {
        for (const at of interruptAt.splice(0)) clock.schedule(at, interrupted);
        if (left.length === 0 && options.thinks) return new Promise(() => {});
        return Promise.resolve(left.shift());
      },
      close: () => closed++,
    });
  }
  const { resume } = options;
  const config = { ...CONFIG, ...options.config };
  const chatted = chat(config, { surroundings, terminal, again: "program chat", resume, prompts });
  const status = await (fake?.play(chatted) ?? chatted);
  assert.equal(closed, 1);
  return { status, stdout: stdout(), stderr: stderr(), complaints };
}

Deno.test("chat prints the reply alone where its input is no terminal", async () => {
  const { status, stdout, stderr, complaints } = await talk(["hello\n"], { isTerminal: false });
  assert.deepEqual([status, stderr, complaints], [0, "", []]);
  assert.match(stdout, /^Greetings\. .*\n- domination\n$/s);
});

Deno.test("chat shows progress beside the replies, and ends when it is told to", async () => {
  for (const word of ["exit", " QUIT "]) {
    const { status, stdout, stderr } = await talk(["hello", " ", "my own", word, "more"]);
    assert.equal(status, 0);
    assert.match(stdout, /^Greetings\..*You said: my own/s);
    assert.doesNotMatch(stdout, /🔄|said: more/);
    assert.match(stderr, /the practice service; exit, quit or Ctrl-D leave/);
    assert.match(stderr, /\d\.\d s {2}🔄 \[the-brain\] Starting agent workflow/);
  }
});

Deno.test("chat cancels the turn on Ctrl-C, and leaves on the next one", async () => {
  const once = await talk(["hello"], { interruptAt: [100] });
  assert.deepEqual([once.status, once.stdout], [0, ""]);
  assert.match(once.stderr, /Cancelled; Ctrl-C again leaves\./);
  const twice = await talk(["hello"], { interruptAt: [100, 200], thinks: true });
  assert.deepEqual([twice.status, twice.stdout], [130, ""]);
  const piped = await talk(["hello"], { interruptAt: [100], isTerminal: false });
  assert.deepEqual([piped.status, piped.stdout], [130, ""]);
});

Deno.test("chat says why a turn failed, goes on at a terminal, and has a status elsewhere", async () => {
  const config = { limits: { ...CONFIG.limits, maxPrompt: 60 } };
  const long = "x".repeat(100);
  const typed = await talk([long, "a"], { config });
  assert.equal(typed.status, 0);
  assert.match(typed.complaints.join(), /^The prompt is too large: /);
  assert.match(typed.stdout, /^Greetings\./);
  const piped = await talk([long], { config, isTerminal: false });
  assert.deepEqual([piped.status, piped.stdout], [1, ""]);
  assert.match(piped.complaints.join(), /too large/);
});

Deno.test("chat goes on with the last session of the folder, and shows it again", async () => {
  const home = await Deno.makeTempDir();
  const kept = { home, config: { history: { sessions: 9, age: 1e12 } } };
  try {
    const none = await talk([], { ...kept, resume: "last" });
    assert.match(none.stderr, /no earlier session of this folder, so this is a new one/);
    await talk(["hello", "my second"], kept);
    await talk([], kept); // in which nothing is said
    const { stdout, stderr } = await talk(["third"], { ...kept, resume: "last" });
    assert.match(stderr, /To go on: program chat --resume session_\w+/);
    assert.match(stderr, /> hello.*> my second/s);
    assert.match(stdout, /^Greetings\..*You said: my second.*\S\n/s);
    assert.doesNotMatch(stderr, /a new one/);
    const piped = await talk(["more"], { ...kept, resume: "last", isTerminal: false });
    assert.doesNotMatch(piped.stdout, /Greetings\.[^]*my second/);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("chat says why there is nothing to do where its input is no terminal", async () => {
  await assert.rejects(talk([" \n"], { isTerminal: false }), /There is no prompt on stdin/);
  const home = await Deno.makeTempDir();
  const config = { history: { sessions: 9, age: 1e12 } };
  await assert.rejects(
    talk(["hello"], { isTerminal: false, resume: "last", home, config }),
    /There is no earlier session of this folder/,
  );
  assert.deepEqual([...Deno.readDirSync(home)], [], "a session was begun");
  await Deno.remove(home);
});

Deno.test("onePrompt takes all of its input, and no bytes that are not text", async () => {
  const read = (bytes: number[]) => onePrompt(ReadableStream.from([new Uint8Array(bytes)])).next();
  assert.equal(await read([0x68, 0x0a, 0x69]), "h\ni");
  await assert.rejects(read([0x68, 0xff]), /not UTF-8/);
});

Deno.test("chat says that it does not know a session", async () => {
  await assert.rejects(
    talk([], { resume: { sessionId: "session_unknown0" } }),
    /Unknown session "session_unknown0"/,
  );
});
