/** How often and how much is measured. */
export interface Plan {
  /** Rounds of starts; in a round every contestant has its turn. */
  startRounds: number;
  /** Rounds of everything else. */
  rounds: number;
  /** Prompts before the memory is looked at again; 0 leaves that out. */
  prompts: number;
  /** Events of the two lengths whose times per event are compared. */
  growthEvents: readonly [few: number, many: number];
  /** Bytes of the two replies whose times per byte are compared. */
  growthReply: readonly [small: number, large: number];
  /** Rounds of those, and of the peak of memory. */
  growthRounds: number;
  /** Bytes of the reply whose peak of memory is looked at. */
  peakReply: number;
  /** Events whose delay is looked at, in a round. */
  delayed: number;
  /** Milliseconds of idleness. */
  idle: number;
  /** Whether executables are compressed. */
  archives: boolean;
  /** Whether the bridge with its history and the agent in Node run along; no target is about them. */
  others: boolean;
}

const MIB = 1024 * 1024;

/** The whole bench. */
export const FULL: Plan = {
  startRounds: 25,
  rounds: 9,
  prompts: 1000,
  growthEvents: [2_000, 200_000],
  growthReply: [MIB, 50 * MIB],
  growthRounds: 3,
  peakReply: 10 * MIB,
  delayed: 300,
  idle: 10_000,
  archives: true,
  others: true,
};

/** What CI runs: the same targets, from less. */
export const SHORT: Plan = {
  startRounds: 7,
  rounds: 3,
  prompts: 0,
  growthEvents: [2_000, 20_000],
  growthReply: [MIB, 10 * MIB],
  growthRounds: 2,
  peakReply: 10 * MIB,
  delayed: 150,
  idle: 10_000,
  archives: false,
  others: false,
};
