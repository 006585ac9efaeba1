// @ts-types="../declarations/colors.d.ts"
import { stripAnsiCode } from "@std/fmt/colors";
import * as z from "zod/mini";
import { lazily } from "../lazily.ts";
import type { LongText } from "../long_text.ts";
import { orElse, orNothing } from "../or_else.ts";
import type { LongString } from "./long_strings.ts";

// All lazy: `lazily` says why.

/** An id that a path can carry. */
const PathId = lazily(() =>
  z.string().check(z.refine((id) => !["", ".", ".."].includes(id) && id.isWellFormed()))
);
/** The service's answer to `POST /threads`. */
export const ThreadCreated = lazily(() => z.object({ thread_id: PathId }));
/** The service's answer to `POST /threads/{thread}/runs`. */
export const RunStarted = lazily(() => z.object({ run_id: PathId }));

/** The text in the JSON body of a failed request. */
export const ErrorBody = lazily(() =>
  z.union([
    z.pipe(z.object({ error: z.string() }), z.transform((body) => body.error)),
    z.pipe(z.object({ error: Messaged }), z.transform((body) => body.error.message)),
    z.pipe(Messaged, z.transform((body) => body.message)),
  ])
);
const Messaged = lazily(() => z.object({ message: z.string().check(z.minLength(1)) }));

/** A step of the run, as the service tells it. */
export const Progress = lazily(() =>
  z.object({
    node: orElse(z.string(), "agent"),
    status: z.string(),
    timestamp: orNothing(z.string()),
  })
);
export type Progress = z.infer<typeof Progress>;

/** A file that the agent wrote; its bytes are to be fetched. */
export const Artifact = lazily(() =>
  z.object({
    name: z.string(),
    sha256: orElse(z.string(), ""),
    destination: orNothing(z.string()),
  })
);
export type Artifact = z.infer<typeof Artifact>;

/** How a run ended; whatever of it is not as expected counts as missing. */
export const Outcome = lazily(() => {
  const state = z.object({ explanation: orNothing(z.string()) });
  const result = z.object({
    instructorState: orNothing(state),
    // The thread's whole history: it is parsed only when it is shown.
    messages: z.optional(z.unknown()),
  });
  return z.object({
    error: z.optional(z.unknown()),
    result: orNothing(result),
    artifacts: orNothing(z.array(orElse(z.nullable(Artifact), null))),
  });
});
export type Outcome = z.infer<typeof Outcome>;

/** One frame of a run's stream. Frames of other kinds are not for us. */
export const RunEvent = lazily(() =>
  z.discriminatedUnion("event", [
    z.object({ event: z.literal("connected") }),
    z.object({ event: z.literal("progress"), progress: Progress }),
    z.object({ event: z.literal("artifact"), artifact: orElse(z.nullable(Artifact), null) }),
    z.object({ event: z.literal("complete"), data: orElse(Outcome, {}) }),
  ])
);
export type RunEvent = z.infer<typeof RunEvent> & {
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
  const parsed = z.safeParse(RunEvent, value);
  return parsed.success ? parsed.data : undefined;
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
  const holder = z.safeParse(Messaged, error);
  return holder.success ? holder.data.message : JSON.stringify(error);
}

const Content = lazily(() => z.union([z.string(), z.array(z.unknown())]));
const TextPart = lazily(() => z.object({ type: z.literal("text"), text: z.string() }));

/** The content of a message that the AI said, plain or serialised by LangChain. */
const AiContent = lazily(() => {
  const isAi = (id: unknown[]) => id.at(-1) === "AIMessage" || id.at(-1) === "AIMessageChunk";
  return z.union([
    z.pipe(
      z.object({
        id: z.array(z.unknown()).check(z.refine(isAi)), // the class is the last part of its id
        kwargs: z.object({ content: Content }),
      }),
      z.transform((message) => message.kwargs.content),
    ),
    z.pipe(
      z.object({ type: z.literal("ai"), content: Content }),
      z.transform((message) => message.content),
    ),
  ]);
});

function aiTexts(messages: unknown): string[] {
  if (!Array.isArray(messages)) return [];
  const texts: string[] = [];
  for (const message of messages) {
    const content = z.safeParse(AiContent, message);
    if (!content.success) continue;
    const text = contentText(content.data);
    if (text !== "") texts.push(text);
  }
  return texts;
}

function contentText(content: z.infer<typeof Content>): string {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (typeof part === "string") return part;
    const text = z.safeParse(TextPart, part);
    return text.success ? text.data.text : "";
  }).join("");
}
