/**
 * The percentile by the nearest rank: always one of the values, the smallest that at least `percent` percent of them
 * do not exceed. Of fewer than 20 values the 95th is the largest. Undefined if there are no values.
 */
export function percentile(values: readonly number[], percent: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}
