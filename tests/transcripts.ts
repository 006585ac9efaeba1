import * as v from "valibot";
import assert from "node:assert/strict";
import { assertAcp } from "./acp_schema.ts";
import { Said } from "./support.ts";
import { readLines } from "../lib/jsonl.ts";

/** The two ends of a bridge that an editor holds. */
export interface Wire {
  input: WritableStream<Uint8Array<ArrayBuffer>>;
  output: ReadableStream<Uint8Array<ArrayBuffer>>;
}

const FOLDER = new URL("./transcripts/", import.meta.url);

/** The names of the transcripts. */
export function transcriptNames(): string[] {
  return [...Deno.readDirSync(FOLDER)].map((entry) => entry.name).sort();
}

/**
 * Plays a transcript: sends its `>` lines, and expects its `<` lines, each in its turn and nothing
 * else. `{{name}}` in an expected line is any text, the same one wherever the name stands again;
 * `{{*}}` is any text, each time.
 */
export async function play(name: string, wire: Wire): Promise<void> {
  const script = await Deno.readTextFile(new URL(name, FOLDER));
  const writer = wire.input.getWriter();
  const replies = readLines(wire.output);
  const known = new Map<string, string>();
  /** The methods of the requests that were sent, by their ids. */
  const methods = new Map<string, string>();
  for (const [line, side, text = ""] of script.matchAll(/^([<>]) ?(.*)$/gm)) {
    if (side === ">") {
      const sent = text.replace(/{{(.+?)}}/g, (_, key) => known.get(key) ?? "");
      const [, id, method] = sent.match(/^\{"jsonrpc":"2.0","id":([^,]+),"method":"([^"]+)"/) ?? [];
      if (id !== undefined && method !== undefined) methods.set(id, method);
      await writer.write(new TextEncoder().encode(`${sent}\n`));
    } else {
      const { value } = await replies.next();
      expect(text, String(value), known, `${name}: ${line}`);
      const said = v.parse(Said, JSON.parse(String(value)));
      assertAcp(said, methods.get(JSON.stringify(said.id)), String(value));
    }
  }
  await writer.close();
  const rest = await replies.next();
  assert.ok(rest.done, `${name}: the bridge said more than the transcript: ${rest.value}`);
}

function expect(pattern: string, line: string, known: Map<string, string>, where: string): void {
  const names: string[] = [];
  const parts = pattern.split(/{{(.+?)}}/).map((part, index) => {
    if (index % 2 === 0) return escape(part);
    if (part === "*") return ".*";
    const value = known.get(part);
    if (value !== undefined) return escape(value);
    names.push(part);
    return "(.*)";
  });
  const match = line.match(new RegExp(`^${parts.join("")}$`, "u"));
  if (match === null) assert.equal(line, pattern, where);
  names.forEach((name, index) => known.set(name, match?.[index + 1] ?? ""));
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
