import assert from "node:assert/strict";
import { createHistory, type History } from "../lib/history.ts";
import { createLog } from "../lib/log.ts";
import type { SessionHeader } from "../lib/session_record.ts";
import { textOf } from "./support.ts";

const DAY = 24 * 60 * 60 * 1000;

function open(folder: string | undefined, limits = { sessions: 500, age: 90 * DAY }) {
  const logged: string[] = [];
  const log = createLog({
    level: "error",
    write: (line) => logged.push(line),
    secrets: [],
    now: Date.now,
  });
  return { history: createHistory(folder, { log, now: Date.now, limits }), logged };
}

const header = (n: number): SessionHeader => ({
  kind: "session",
  sessionId: `session_${String(n).padStart(8, "0")}`,
  origin: "https://service.test",
  threadId: `thread/${n}`,
  cwd: "/folder",
});
const title = (title: string) => ({ kind: "title" as const, title });
const prompt = {
  kind: "prompt" as const,
  messageId: "m",
  blocks: [{ type: "text", text: "é\n🧠" }],
};

/** Adds sessions to a history, and waits until they are written. */
async function add(history: History, ...numbers: number[]): Promise<void> {
  for (const n of numbers) {
    history.begin(header(n));
    history.append(header(n).sessionId, title(`title ${n}`), prompt);
  }
  await history.flush();
}

Deno.test("createHistory keeps sessions, for the user alone, and gives them back", async () => {
  const folder = `${await Deno.makeTempDir()}/state/sessions`;
  const { history, logged } = open(folder);
  assert.deepEqual(await history.list(), []);
  await add(history, 1, 2);
  const { sessionId } = header(1);
  const path = `${folder}/${sessionId}.jsonl`;
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  Deno.utimeSync(path, new Date(1000), new Date(1000));

  const later = open(folder).history;
  assert.deepEqual(await later.read(sessionId), {
    ...header(1),
    entries: [title("title 1"), prompt],
  });
  const [newest, oldest] = await later.list();
  assert.deepEqual([newest?.sessionId, oldest?.sessionId], [header(2).sessionId, sessionId]);
  assert.deepEqual([oldest?.title, oldest?.updatedAt, oldest?.cwd], ["title 1", 1000, "/folder"]);
  await later.remove(sessionId);
  await later.remove(sessionId);
  assert.equal(await later.read(sessionId), undefined);
  assert.deepEqual(logged, []);
});

Deno.test("createHistory loses nothing to a line that was torn off", async () => {
  const folder = await Deno.makeTempDir();
  await add(open(folder).history, 1);
  const { sessionId } = header(1);
  const path = `${folder}/${sessionId}.jsonl`;
  Deno.writeTextFileSync(path, '\n{"kind":"update","upd', { append: true });
  const { history } = open(folder);
  history.appendUpdates(sessionId, [textOf(['{"after":', "true}"])]);
  const record = await history.read(sessionId);
  assert.deepEqual(record?.entries, [
    title("title 1"),
    prompt,
    { kind: "update", update: { after: true } },
  ]);
});

Deno.test("createHistory passes over files that are none of its own", async () => {
  const folder = await Deno.makeTempDir();
  await add(open(folder).history, 1);
  Deno.writeTextFileSync(`${folder}/session_00000002.jsonl`, "not JSON");
  Deno.writeTextFileSync(`${folder}/session_00000003.jsonl`, JSON.stringify(header(9)));
  Deno.writeTextFileSync(`${folder}/notes.txt`, "");
  Deno.mkdirSync(`${folder}/session_00000004.jsonl`);
  const { history } = open(folder);
  assert.deepEqual((await history.list()).map(({ threadId }) => threadId), ["thread/1"]);
  for (const id of ["session_00000002", "../secret", "session_../../x", ""]) {
    assert.equal(await history.read(id), undefined);
    await history.remove(id);
  }
});

Deno.test("createHistory clears away what is too old or too much, but nothing in use", async () => {
  const folder = await Deno.makeTempDir();
  await add(open(folder).history, 1, 2, 3, 4);
  const age = (n: number, days: number) => {
    const time = new Date(Date.now() - days * DAY);
    Deno.utimeSync(`${folder}/${header(n).sessionId}.jsonl`, time, time);
  };
  [1, 2, 3].forEach((n) => age(n, n));
  age(4, 100);
  const { history } = open(folder, { sessions: 3, age: 90 * DAY });
  await add(history, 5);
  await history.cleared();
  const left = (await history.list()).map(({ threadId }) => threadId);
  assert.deepEqual(left, ["thread/5", "thread/1", "thread/2"]);
});

Deno.test("createHistory goes on after a write that failed", async () => {
  const folder = await Deno.makeTempDir();
  const { history, logged } = open(folder);
  await add(history, 1, 2);
  Deno.removeSync(`${folder}/${header(1).sessionId}.jsonl`);
  Deno.mkdirSync(`${folder}/${header(1).sessionId}.jsonl`);
  history.append(header(1).sessionId, prompt);
  history.append(header(1).sessionId, prompt);
  history.append(header(2).sessionId, prompt);
  assert.equal((await history.read(header(2).sessionId))?.entries.length, 3);
  assert.equal(logged.length, 1);
});

Deno.test("createHistory appends whole lines, whoever else does and whatever fails", async () => {
  const folder = await Deno.makeTempDir();
  const [one, other] = [open(folder).history, open(folder).history];
  await add(one, 1);
  const { sessionId } = header(1);
  const path = `${folder}/${sessionId}.jsonl`;
  const update = (n: number) => JSON.stringify(`${n} ${"é".repeat(400)}`);
  for (let n = 0; n < 1200; n++) (n % 3 === 0 ? one : other).appendUpdates(sessionId, [update(n)]);
  one.appendUpdates(sessionId, [JSON.stringify("long".repeat(200_000))]);
  await Promise.all([one.flush(), other.flush()]);
  Deno.renameSync(path, `${path}.away`);
  for (let n = 0; n < 400; n++) one.appendUpdates(sessionId, [update(-1)]); // of which some are lost
  await one.list();
  Deno.renameSync(`${path}.away`, path);
  one.appendUpdates(sessionId, [update(1200)]);
  one.save(sessionId);

  const record = await one.read(sessionId);
  const updates = record?.entries.flatMap((each) => each.kind === "update" ? [each.update] : []);
  const numbers = updates?.map((each) => parseInt(String(each)));
  assert.deepEqual(
    numbers?.filter((n) => n >= 0).toSorted((a, b) => a - b),
    Array.from({ length: 1201 }, (_, n) => n),
  );
  assert.equal(updates?.filter((each) => each === "long".repeat(200_000)).length, 1);
});

Deno.test("createHistory says that a session could not be removed", async () => {
  const folder = await Deno.makeTempDir();
  const { history } = open(folder);
  const { sessionId } = header(1);
  Deno.mkdirSync(`${folder}/${sessionId}.jsonl/full`, { recursive: true });
  await assert.rejects(history.remove(sessionId), {
    name: "BridgeError",
    message: /cannot be removed/,
  });
});

Deno.test("createHistory costs history, not the conversation, where it cannot write", async () => {
  const file = await Deno.makeTempFile();
  for (const [folder, messages] of [[`${file}/sessions`, 1], [undefined, 0]] as const) {
    const { history, logged } = open(folder);
    await add(history, 1, 2);
    assert.deepEqual(await history.list(), []);
    assert.equal(await history.read(header(1).sessionId), undefined);
    assert.equal(logged.length, messages);
  }
});
