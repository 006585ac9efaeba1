/**
 * Random schedules: editors' doings and the service's faults, played in virtual time, after which
 * what must always hold is checked.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import * as v from "valibot";
import { frame } from "../lib/service/demo.ts";
import { createFakeClock } from "./fake_clock.ts";
import { startEditor, Update } from "./support.ts";

/** What the editor does next, in its `session`th session. */
const Action = fc.record({
  kind: fc.constantFrom(
    ...[
      "new",
      "prompt",
      "prompt",
      "prompt",
      "cancel",
      "cancelRequest",
      "pause",
      "resume",
      "junk",
      "close",
    ],
  ),
  session: fc.nat(2),
  /** Time that passes first, in milliseconds. */
  after: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(100_000)),
});

/** What the service does on one request: how it answers, and how a stream goes. */
const Behaviour = fc.record({
  answer: fc.oneof(
    { weight: 8, arbitrary: fc.constant("well" as const) },
    fc.constantFrom("lost" as const, "refused" as const, "hang" as const, "slow" as const),
    fc.constantFrom(400, 401, 404, 429, 500, 502, 503),
  ),
  /** How many progress events a stream brings, and how it then ends. */
  events: fc.nat(5),
  /** Whether it brings those of the run's connection before first. */
  repeats: fc.boolean(),
  pause: fc.oneof(fc.constant(0), fc.nat(1000), fc.nat(120_000)),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant("complete" as const) },
    fc.constantFrom("clean" as const, "reset" as const, "silent" as const, "half" as const),
  ),
});
type Behaviour = typeof Behaviour extends fc.Arbitrary<infer T> ? T : never;

/** A whole schedule. */
const Schedule = fc.record({
  protocolVersion: fc.constantFrom("1.0", 1),
  actions: fc.array(Action, { minLength: 1, maxLength: 12 }),
  /** For the requests in their order; then all goes well. */
  behaviours: fc.array(Behaviour, { maxLength: 20 }),
});
type Schedule = typeof Schedule extends fc.Arbitrary<infer T> ? T : never;

const KEY = "the-secret-key";
const WELL: Behaviour = { answer: "well", events: 1, repeats: false, pause: 0, end: "complete" };

/** Plays a schedule, and throws where something does not hold. */
async function playSchedule(schedule: Schedule): Promise<void> {
  const clock = createFakeClock();
  const behaviours = [...schedule.behaviours];
  const next = () => behaviours.shift() ?? WELL;
  /** How many of the clock's timers are the service's. */
  let waits = 0;
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      waits++;
      clock.schedule(milliseconds, () => resolve(void waits--));
    });
  let serial = 0;
  /** The prompts of the runs that the service may have received. */
  const received: string[] = [];

  /** The prompts of its runs, `run_1` and on. */
  const accepted: string[] = [];
  /** What each run has told of its progress. */
  const told = new Map<string, string[]>();
  /** The runs of whose requests one failed, so that their prompts may. */
  const failed = new Set<string>();

  const editor = startEditor({
    clock,
    apiKey: KEY,
    async intercept({ path, body }) {
      const { answer, pause } = next();
      const runNumber = Number(path.match(/\/run_(\d+)\//)?.[1]);
      const prompt = path.endsWith("/runs") ? JSON.parse(body).prompt : accepted[runNumber - 1];
      const certainlyNot = answer === "refused" || answer === 429 || answer === 503;
      if (path.endsWith("/runs") && !certainlyNot) received.push(prompt);
      if (answer !== "well") failed.add(prompt);
      if (answer === "lost") throw new TypeError("connection reset");
      if (answer === "refused") throw new TypeError("client error (Connect): connection refused");
      if (answer === "hang") return await new Promise<never>(() => {});
      if (answer === "slow") await wait(pause);
      if (typeof answer === "number") return new Response("<html>", { status: answer });
      if (path.endsWith("/runs")) accepted.push(prompt);
      return undefined;
    },
    async *stream(run) {
      const { events, repeats, pause, end } = next();
      const before = told.get(run.prompt) ?? [];
      const statuses = [...repeats ? before : []];
      for (let i = 0; i < events; i++) statuses.push(`step ${++serial}`);
      told.set(run.prompt, [...before, ...statuses]);
      if (end !== "complete") failed.add(run.prompt);
      yield frame({ event: "connected", run_id: run.id });
      for (const status of statuses) {
        yield frame({ event: "progress", progress: { node: run.prompt, status, timestamp: "t" } });
      }
      await wait(pause);
      if (end === "silent") await new Promise(() => {});
      if (end === "reset") throw new Error("connection reset");
      if (end === "half") yield 'data: {"event":"comp';
      if (end !== "complete") return;
      const explanation = `reply to ${run.prompt}`;
      yield frame({ event: "complete", data: { result: { instructorState: { explanation } } } });
    },
  });

  const sessions: string[] = [];
  /** For each prompt's id, its session. */
  const prompts = new Map<number, string>();
  /** The sessions that were closed, and the request that closed them. */
  const closed = new Map<string, number>();
  /** The prompts that may be answered `cancelled`. */
  const cancelled = new Set<unknown>();
  let id = 0;
  await editor.request("initialize", { protocolVersion: schedule.protocolVersion });
  for (const { kind, session, after } of schedule.actions) {
    await clock.advance(after);
    for (const { result } of editor.said) {
      const made = result !== undefined && JSON.stringify(result).match(/^{"sessionId":"(.*)"}$/);
      if (made && made[1] !== undefined && !sessions.includes(made[1])) sessions.push(made[1]);
    }
    const sessionId = sessions[session % Math.max(1, sessions.length)] ?? "session_none";
    if (kind === "new") await editor.send({ id: ++id, method: "session/new" });
    if (kind === "prompt") {
      const prompt = `prompt-${++id}`;
      prompts.set(id, sessionId);
      await editor.send({ id, method: "session/prompt", params: { sessionId, prompt } });
    }
    if (kind === "cancel") {
      for (const [each, its] of prompts) if (its === sessionId) cancelled.add(each);
      await editor.send({ method: "session/cancel", params: { sessionId } });
    }
    if (kind === "cancelRequest") {
      cancelled.add(id);
      await editor.send({ method: "$/cancel_request", params: { requestId: id } });
    }
    if (kind === "close") {
      for (const [each, its] of prompts) if (its === sessionId) cancelled.add(each);
      await editor.send({ id: ++id, method: "session/close", params: { sessionId } });
      if (!closed.has(sessionId)) closed.set(sessionId, id);
    }
    if (kind === "junk") await editor.send(`{"id":${++id},"method":7}`);
    if (kind === "pause") editor.pause();
    if (kind === "resume") editor.resume();
  }
  editor.resume();
  await clock.play(editor.end());
  await clock.advance(31_000); // a run that was cancelled while it was being started is waited for

  const answered = new Map<unknown, number>();
  editor.said.forEach(({ id, method }, index) => {
    if (method !== undefined) return;
    assert.ok(!answered.has(id), `${id} is answered once`);
    answered.set(id, index);
  });
  for (let each = 1; each <= id; each++) assert.ok(answered.has(each), `${each} is answered`);

  const lastOf = new Map<string, number>();
  for (const [prompt, sessionId] of prompts) {
    const index = answered.get(prompt) ?? -1;
    const { result, error } = editor.said[index] ?? {};
    const { stopReason } = v.parse(v.object({ stopReason: v.optional(v.string()) }), result ?? {});
    if (error !== undefined) {
      const known = sessions.includes(sessionId) && prompt < (closed.get(sessionId) ?? Infinity);
      assert.ok(!known || failed.has(`prompt-${prompt}`), `${prompt} failed for nothing`);
    } else if (stopReason === "cancelled") {
      assert.ok(cancelled.has(prompt), `${prompt} was cancelled by nobody`);
    } else {
      const before = v.parse(Update, editor.said[index - 1]?.params);
      assert.equal(before.update.content.text, `reply to prompt-${prompt}`);
      assert.ok(index > (lastOf.get(sessionId) ?? -1), "turns end in the order received");
      lastOf.set(sessionId, index);
    }
  }

  const messageIds = new Set<string>();
  const shown = new Set<string>();
  editor.said.forEach(({ params, method }, index) => {
    if (method === undefined) return;
    const parsed = v.safeParse(Update, params);
    if (!parsed.success) return; // the session's title
    const { sessionId, update } = parsed.output;
    const end = answered.get(closed.get(sessionId)) ?? Infinity;
    assert.ok(index < end, "nothing is said of a session after it was closed");
    const key = `${sessionId} ${update.messageId}`;
    assert.ok(!messageIds.has(key), "message ids are unique");
    messageIds.add(key);
    const { text } = update.content;
    const prompt = Number(text.match(/prompt-(\d+)/)?.[1] ?? 0);
    if (prompt === 0) return; // that it waits for the turn before
    assert.equal(prompts.get(prompt), sessionId, "updates go to their session");
    assert.ok(index < (answered.get(prompt) ?? -1), "nothing is said of a turn after its answer");
    assert.ok(!shown.has(text), `${text} is shown once`);
    shown.add(text);
  });

  assert.equal(new Set(received).size, received.length, "a prompt is run at most once");
  for (const line of [...editor.lines, ...editor.logged]) assert.ok(!line.includes(KEY), "no key");
  assert.equal(clock.timers - waits, 0, "no timer is left behind");
}

/** Plays so many random schedules; throws with the command that plays the failing one again. */
export async function checkSchedules(schedules: number, seed: number): Promise<void> {
  const property = fc.asyncProperty(Schedule, playSchedule);
  const details = await fc.check(property, { numRuns: schedules, seed });
  if (!details.failed) return;
  const counterexample = JSON.stringify(details.counterexample);
  throw new Error(`play it again: deno task soak ${schedules} ${seed}\n${counterexample}`, {
    cause: details.errorInstance,
  });
}
