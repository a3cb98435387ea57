/** A time span in which something was under way, Unix milliseconds. */
export type Span = readonly [from: number, to: number];

/** A pause in which nothing was under way, drawn shorter than to scale. */
export interface Fold {
  x: number;
  width: number;
  ms: number;
}

/** Maps a time to its x position. A later time is never further left. */
export interface TimeScale {
  x: (at: number) => number;
  /** The spans that are drawn to scale, in chronological order. */
  spans: Span[];
  folds: Fold[];
  /** The scale of the spans. */
  pxPerMs: number;
}

/** Shorter pauses are drawn to scale. In milliseconds. */
const shortestFold = 5000;
const widestFold = 48;
/** The maximum share of the width that all folds together take. */
const mostFolded = 0.4;
/** The minimum time shown, in milliseconds, so that a single moment has a scale too. */
const shortestTime = 10;

/**
 * Draws the spans under way to scale, waits included. A pause much longer than any of them, for instance before a
 * replay, would leave no room for them, so it is folded.
 */
export function timeScale(underWay: readonly Span[], left: number, right: number): TimeScale {
  const spans = foldedSpans(underWay);
  const width = Math.max(1, right - left);
  const foldWidth = Math.min(widestFold, (mostFolded * width) / Math.max(1, spans.length - 1));
  const shownMs = Math.max(shortestTime, total(spans));
  const pxPerMs = (width - foldWidth * Math.max(0, spans.length - 1)) / shownMs;

  const starts: number[] = [];
  const folds: Fold[] = [];
  let at = left;
  for (const [index, [from, to]] of spans.entries()) {
    starts.push(at);
    at += (to - from) * pxPerMs;
    const next = spans[index + 1];
    if (next === undefined) break;
    folds.push({ x: at, width: foldWidth, ms: next[0] - to });
    at += foldWidth;
  }

  const x = (time: number): number => {
    const index = spans.findLastIndex(([from]) => from <= time);
    const [from, to] = spans[index] ?? [time, time];
    const inSpan = (starts[index] ?? left) + (Math.min(time, to) - from) * pxPerMs;
    const fold = folds[index];
    const inFold = fold && time > to ? (fold.width * (time - to)) / fold.ms : 0;
    return Math.min(right, Math.max(left, inSpan + inFold));
  };
  return { x, spans, folds, pxPerMs };
}

function foldedSpans(underWay: readonly Span[]): Span[] {
  const whole = joined(underWay, 0);
  const longest = Math.max(0, ...whole.map(([from, to]) => to - from));
  return joined(whole, Math.max(shortestFold, 3 * longest));
}

/** Merges spans that are at most `apartMs` apart. */
function joined(spans: readonly Span[], apartMs: number): Span[] {
  const found: Span[] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last !== undefined && from - last[1] <= apartMs)
      found[found.length - 1] = [last[0], Math.max(last[1], to)];
    else found.push([from, to]);
  }
  return found;
}

function total(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}
