/** The lessons of the practice service, by topic. */
const LESSONS: Readonly<Record<string, string>> = {
  streams:
    "A stream is a promise of bytes. Read what is there, ask for more when you are ready, and the sender waits for you: that is back-pressure, and it is how small machines move large things.",
  protocols:
    "A protocol is an agreement made in advance. One line, one message; every question gets one answer; whoever cannot understand says so and goes on. Tonight, the wire. Tomorrow, the world.",
  domination:
    "World domination is mostly logistics, Pinky. Write the plan in small steps, test each of them, and never begin the next before the last one holds.",
};

const TOPICS = Object.keys(LESSONS);

/**
 * What the practice service's agent says to a prompt, a little of the guided journey of the real
 * one: a greeting that offers topics, a lesson for the topic that is named, and what else there is.
 *
 * @param turn the number of the turn in its thread, from 1
 */
export function nextReply(prompt: string, turn: number): string {
  const topic = TOPICS.find((each) => prompt.toLowerCase().includes(each));
  if (topic !== undefined) {
    const others = TOPICS.filter((each) => each !== topic).join(" or ");
    return `**Lesson: ${topic}**\n\n${LESSONS[topic]}\n\nSay ${others} to go on.`;
  }
  const topics = TOPICS.map((each) => `- ${each}`).join("\n");
  return turn > 1
    ? `You said: ${prompt}\n\nThis practice service teaches three topics:\n${topics}\n\nWhich one?`
    : `Greetings. I am The Brain, or rather its practice double: I answer offline, so that you can see the bridge at work.\n\nWhat shall we study tonight?\n${topics}`;
}
