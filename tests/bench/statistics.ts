/**
 * The value below which the given part of the samples lies, between the two nearest samples where
 * none is just there.
 *
 * @param part from 0, the smallest, to 1, the largest
 * @throws {RangeError} when there are no samples
 */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  const place = part * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError("Cannot rank no samples");
  return below + (above - below) * (place - Math.floor(place));
}

/** The middle one of the samples. Throws as {@linkcode quantile}. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** The average of the samples, in which what is rare counts, too; nothing where there are none. */
export function average(samples: readonly number[]): number | undefined {
  if (samples.length === 0) return undefined;
  return samples.reduce((sum, sample) => sum + sample) / samples.length;
}

/** Samples in short. */
export interface Summary {
  median: number;
  /** The quarter and the three quarters of the samples: half of them lie between. */
  low: number;
  high: number;
  count: number;
}

/** Sums samples up; nothing where there are none. */
export function summarize(samples: readonly number[]): Summary | undefined {
  if (samples.length === 0) return undefined;
  return {
    median: median(samples),
    low: quantile(samples, 0.25),
    high: quantile(samples, 0.75),
    count: samples.length,
  };
}

/**
 * The ratios of samples that were taken side by side, round by round: the mood of the machine is
 * in both sides of a round, and cancels out. A round that one side lacks, or has nothing in, is
 * left out.
 */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.flatMap((sample, round) => {
    const other = below[round];
    return other === undefined || other === 0 ? [] : [sample / other];
  });
}
