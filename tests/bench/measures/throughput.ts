import { type Bench, inRounds, withAgent } from "../bench.ts";
import type { Agent } from "../process.ts";
import type { Contestant, Results } from "../results.ts";
import { average, median } from "../statistics.ts";
import { haveTurns, openSessions } from "../turns.ts";
import { cpuBetween, cpuTimes } from "../usage.ts";

const SESSIONS = 100;
const EVENTS = 20_000;
/** How often a part of both is done before; until then the compiler is at work. */
const WARM_UPS = 8;
/** How often each is measured, alternating with the others; the middle counts. */
const TIMES = 5;

/**
 * How long the same events take on one session and on many, and what each costs the processor. An
 * agent is in use for hours, so it is measured warm: it has relayed in both ways before.
 */
export async function throughput({ plan, results, surroundings, agents }: Bench): Promise<void> {
  await inRounds(plan.rounds, agents, async ([name, command]) => {
    await withAgent(command, surroundings, async (agent) => {
      const many = await openSessions(agent, SESSIONS);
      const one = many.slice(0, 1);
      for (let warm = 0; warm < WARM_UPS; warm++) {
        await haveTurns(agent, one, script(EVENTS / 4));
        await haveTurns(agent, many, script(EVENTS / 4 / SESSIONS));
      }
      const onOne: Timed[] = [];
      const tenThousand: Timed[] = [];
      const onMany: Timed[] = [];
      for (let again = 0; again < TIMES; again++) {
        onOne.push(await timed(agent, one, EVENTS));
        tenThousand.push(await timed(agent, one, EVENTS / 2));
        onMany.push(await timed(agent, many, EVENTS));
      }
      record(results, name, { onOne, tenThousand, onMany });
    });
  });
}

interface Timed {
  milliseconds: number;
  /** The processor's time for an event, in microseconds. */
  cpu: number | undefined;
}

async function timed(agent: Agent, sessions: string[], events: number): Promise<Timed> {
  const before = await cpuTimes(agent.pid);
  const milliseconds = await haveTurns(agent, sessions, script(events / sessions.length));
  const cpu = cpuBetween(before, await cpuTimes(agent.pid));
  return { milliseconds, cpu: cpu && cpu * 1000 / events };
}

function script(events: number) {
  return { events, gap: 0, reply: 80 };
}

function record(
  results: Results,
  name: Contestant,
  { onOne, tenThousand, onMany }: Record<"onOne" | "tenThousand" | "onMany", Timed[]>,
): void {
  const time = (all: Timed[]) => median(all.map(({ milliseconds }) => milliseconds));
  const cpu = (all: Timed[]) => average(all.flatMap((each) => each.cpu ?? []));
  results.record("oneSession", name, time(onOne));
  results.record("oneSessionCpu", name, cpu(onOne));
  results.record("tenThousand", name, time(tenThousand));
  results.record("manySessions", name, time(onMany));
  results.record("manySessionsCpu", name, cpu(onMany));
}
