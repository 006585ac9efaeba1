/**
 * Random schedules: editors' doings and the service's faults, played in virtual time, after which
 * what must always hold is checked.
 */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { frame } from "../lib/service/demo.ts";
import { createFakeClock } from "./fake_clock.ts";
import { startEditor, Update } from "./support.ts";

/** What the editor does next, in its `session`th session. */
const Action = fc.record({
  kind: fc.constantFrom(
    "new",
    "prompt",
    "prompt",
    "prompt",
    "cancel",
    "cancelRequest",
    "pause",
    "junk",
  ),
  session: fc.nat(2),
  /** Time that passes first, in milliseconds. */
  after: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(100_000)),
});

/** What the service does on one request: how it answers, and how a stream goes. */
const Behaviour = fc.record({
  answer: fc.oneof(
    { weight: 6, arbitrary: fc.constant("well" as const) },
    fc.constantFrom("lost" as const, "refused" as const, "hang" as const, "slow" as const),
    fc.constantFrom(400, 401, 404, 429, 500, 502, 503),
  ),
  /** How many progress events a stream brings, and how it then ends. */
  events: fc.nat(5),
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
const WELL: Behaviour = { answer: "well", events: 1, pause: 0, end: "complete" };

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

  const editor = startEditor({
    clock,
    apiKey: KEY,
    async intercept({ path, body }) {
      if (path.endsWith("/stream")) return undefined;
      const { answer, pause } = next();
      const certainlyNot = answer === "refused" || answer === 429 || answer === 503;
      if (path.endsWith("/runs") && !certainlyNot) received.push(body);
      if (answer === "lost") throw new TypeError("connection reset");
      if (answer === "refused") throw new TypeError("client error (Connect): connection refused");
      if (answer === "hang") return await new Promise<never>(() => {});
      if (answer === "slow") await wait(pause);
      return typeof answer === "number" ? new Response("<html>", { status: answer }) : undefined;
    },
    async *stream(run) {
      const { events, pause, end } = next();
      yield frame({ event: "connected", run_id: run.id });
      for (let i = 0; i < events; i++) {
        const timestamp = String(++serial);
        yield frame({ event: "progress", progress: { node: run.prompt, status: "s", timestamp } });
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
  /** For each prompt's id, its session and text. */
  const prompts = new Map<number, { sessionId: string; text: string }>();
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
      const text = `prompt-${++id}`;
      prompts.set(id, { sessionId, text });
      await editor.send({ id, method: "session/prompt", params: { sessionId, prompt: text } });
    }
    if (kind === "cancel") await editor.send({ method: "session/cancel", params: { sessionId } });
    if (kind === "cancelRequest") {
      await editor.send({ method: "$/cancel_request", params: { requestId: id } });
    }
    if (kind === "junk") await editor.send(`{"id":${++id},"method":7}`);
    if (kind === "pause") {
      editor.pause();
      await clock.advance(100);
      editor.resume();
    }
  }
  await clock.play(editor.end());
  await clock.advance(31_000); // a run that was cancelled while it was being started is waited for

  const answered = new Map<unknown, number>();
  editor.said.forEach(({ id, method }, index) => {
    if (method !== undefined) return;
    assert.ok(!answered.has(id), `${id} is answered once`);
    answered.set(id, index);
  });
  for (let each = 1; each <= id; each++) assert.ok(answered.has(each), `${each} is answered`);

  const messageIds = new Set<string>();
  editor.said.forEach(({ params, method }, index) => {
    if (method === undefined) return;
    const { sessionId, update } = Update.parse(params);
    const key = `${sessionId} ${update.messageId}`;
    assert.ok(!messageIds.has(key), "message ids are unique");
    messageIds.add(key);
    const text = update.content.text.match(/prompt-(\d+)/);
    if (text === null) return;
    const prompt = Number(text[1]);
    assert.equal(prompts.get(prompt)?.sessionId, sessionId, "updates go to their session");
    const answer = answered.get(prompt) ?? -1;
    assert.ok(index < answer, "nothing is said of a turn after its answer");
    if (!update.content.text.startsWith("reply")) return;
    assert.equal(index, answer - 1, "the reply stands right before the answer");
    assert.deepEqual(editor.said[answer]?.result, { stopReason: "end_turn" });
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
