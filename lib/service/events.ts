// @ts-types="../declarations/colors.d.ts"
import { stripAnsiCode } from "@std/fmt/colors";
import * as v from "valibot";
import type { LongText } from "../long_text.ts";
import type { LongString } from "./long_strings.ts";

/** A schema to which whatever does not fit is missing. */
function orNothing<T extends v.GenericSchema>(schema: T) {
  return v.fallback(v.optional(schema), undefined);
}

/** An id that a path can carry. */
const PathId = v.pipe(
  v.string(),
  v.check((id) => !["", ".", ".."].includes(id) && id.isWellFormed()),
);
/** The service's answer to `POST /threads`. */
export const ThreadCreated = v.object({ thread_id: PathId });
/** The service's answer to `POST /threads/{thread}/runs`. */
export const RunStarted = v.object({ run_id: PathId });

const Messaged = v.object({ message: v.pipe(v.string(), v.nonEmpty()) });

/** The text in the JSON body of a failed request. */
export const ErrorBody = v.union([
  v.pipe(v.object({ error: v.string() }), v.transform((body) => body.error)),
  v.pipe(v.object({ error: Messaged }), v.transform((body) => body.error.message)),
  v.pipe(Messaged, v.transform((body) => body.message)),
]);

/** A step of the run, as the service tells it. */
export const Progress = v.object({
  node: v.fallback(v.string(), "agent"),
  status: v.string(),
  timestamp: orNothing(v.string()),
});
export type Progress = v.InferOutput<typeof Progress>;

/** A file that the agent wrote; its bytes are to be fetched. */
export const Artifact = v.object({
  name: v.string(),
  sha256: v.fallback(v.string(), ""),
  destination: orNothing(v.string()),
});
export type Artifact = v.InferOutput<typeof Artifact>;

/** How a run ended; whatever of it is not as expected counts as missing. */
export const Outcome = v.object({
  error: v.optional(v.unknown()),
  result: orNothing(v.object({
    instructorState: orNothing(v.object({ explanation: orNothing(v.string()) })),
    // The thread's whole history: it is parsed only when it is shown.
    messages: v.optional(v.unknown()),
  })),
  artifacts: orNothing(v.array(v.fallback(v.nullable(Artifact), null))),
});
export type Outcome = v.InferOutput<typeof Outcome>;

/**
 * One frame of a run's stream; the most frequent first. Frames of other kinds are not for us. It is
 * no `variant`, which makes a set and a closure each time that it is used: a sixth of all garbage.
 */
export const RunEvent = v.union([
  v.object({ event: v.literal("progress"), progress: Progress }),
  v.object({ event: v.literal("artifact"), artifact: v.fallback(v.nullable(Artifact), null) }),
  v.object({ event: v.literal("complete"), data: v.fallback(Outcome, {}) }),
  v.object({ event: v.literal("connected") }),
]);
export type RunEvent = v.InferOutput<typeof RunEvent> & {
  /** The text of the reply, instead of what is in `data`, where that is long. */
  longReply?: LongText;
};

/** Reads the data of one frame; nothing where it is no event that we know. */
export function parseRunEvent(data: string): RunEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined; // a frame that is not JSON carries nothing to show; the stream goes on
  }
  const parsed = v.safeParse(RunEvent, value, { abortEarly: true });
  return parsed.success ? parsed.output : undefined;
}

/**
 * The event with its explanation as the long text for which that stands; nothing where it does not,
 * or where something else is shown, or is long, too.
 *
 * @param strings the long strings of the frame, by what stands in for them
 */
export function withLongReply(
  event: RunEvent | undefined,
  strings: ReadonlyMap<string, LongString>,
): RunEvent | undefined {
  if (event?.event !== "complete") return undefined;
  const { error, result, artifacts } = event.data;
  const longReply = strings.get(result?.instructorState?.explanation ?? "")?.text();
  if (longReply === undefined || errorText(error) !== "" || !isReadable(longReply)) {
    return undefined;
  }
  const files = JSON.stringify(artifacts) ?? "";
  if (strings.keys().some((standIn) => files.includes(standIn))) return undefined;
  return { event: "complete", data: { artifacts }, longReply };
}

/** Whether a text can be read to its end: whoever shows it cannot go back. */
function isReadable(text: LongText): boolean {
  try {
    for (const _ of text);
    return true;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false;
    throw thrown;
  }
}

/** What is shown of a run that brought nothing to show. */
const NOTHING_TO_SHOW = "Workflow completed successfully.";

/** The text of the reply: the error, the explanation or the messages, the first that is there. */
export function replyText({ error, result }: Outcome): string {
  const failure = errorText(error);
  if (failure !== "") return `Error: ${failure}`;
  const explanation = result?.instructorState?.explanation ?? "";
  if (explanation !== "") return explanation;
  const said = aiTexts(result?.messages).join("\n\n");
  return said === "" ? NOTHING_TO_SHOW : said;
}

/** What stands in the error of a thread that has become too long, for good (service contract). */
const TOO_LONG = "_summarizationEvent";
const TOO_LONG_HELP = "This conversation has become too long for the service. Start a new session.";

/** The error whole, but without what a terminal would obey. */
function errorText(error: unknown): string {
  if (error === undefined || error === null || error === false) return "";
  const text = stripAnsiCode(rawErrorText(error)).replace(/[^\P{Cc}\n\t]/gu, "");
  return text.includes(TOO_LONG) ? `${text}\n\n${TOO_LONG_HELP}` : text;
}

function rawErrorText(error: unknown): string {
  if (typeof error === "string") return error;
  return v.is(Messaged, error) ? error.message : JSON.stringify(error);
}

const Content = v.union([v.string(), v.array(v.unknown())]);
const TextPart = v.object({ type: v.literal("text"), text: v.string() });

const isAi = (id: unknown[]) => id.at(-1) === "AIMessage" || id.at(-1) === "AIMessageChunk";

/** The content of a message that the AI said, plain or serialised by LangChain. */
const AiContent = v.union([
  v.pipe(
    v.object({
      id: v.pipe(v.array(v.unknown()), v.check(isAi)), // the class is the last part of its id
      kwargs: v.object({ content: Content }),
    }),
    v.transform((message) => message.kwargs.content),
  ),
  v.pipe(
    v.object({ type: v.literal("ai"), content: Content }),
    v.transform((message) => message.content),
  ),
]);

function aiTexts(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  const texts: string[] = [];
  for (const message of messages) {
    const content = v.safeParse(AiContent, message);
    if (!content.success) continue;
    const text = contentText(content.output);
    if (text !== "") texts.push(text);
  }
  return texts;
}

function contentText(content: v.InferOutput<typeof Content>): string {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (typeof part === "string") return part;
    return v.is(TextPart, part) ? part.text : "";
  }).join("");
}
