/** The value below which a part (0 to 1) of the values lies. @throws if there are none, or one of them is no number */
export function percentile(values: readonly number[], part: number): number {
  const sorted = measured(values).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The smallest and the largest value, as text. */
export function spread(values: readonly number[]): string {
  measured(values);
  return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
}

/**
 * What a benchmark prints.
 * @throws if it has no figure, or what stands in the place of one: a benchmark that measures nothing has failed
 */
export function withFigures(lines: readonly string[]): string[] {
  const wrong = lines.find((line) => /\b(?:NaN|undefined|null|Infinity)\b/.test(line));
  if (wrong !== undefined) throw new Error(`This is no figure: ${wrong}`);
  if (!lines.some((line) => /\d/.test(line))) throw new Error('Nothing was measured.');
  return [...lines];
}

function measured(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error('Nothing was measured.');
  for (const value of values) if (!Number.isFinite(value)) throw new Error(`${value} is no figure.`);
  return values;
}
