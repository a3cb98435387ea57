/** From when to when something was under way, Unix milliseconds. */
export type Span = readonly [from: number, to: number];

/** A time in which nothing was under way, drawn shorter than it was. */
export interface Fold {
  x: number;
  width: number;
  ms: number;
}

/** Where a time is drawn. What is later is never further left. */
export interface TimeScale {
  x: (at: number) => number;
  /** What is drawn to scale, in the order of time. */
  spans: Span[];
  folds: Fold[];
  /** Of what is drawn to scale. */
  pxPerMs: number;
}

/** A shorter pause is drawn to scale, in milliseconds. */
const shortestFold = 5000;
const widestFold = 48;
/** All folds together take no more of the picture. */
const mostFolded = 0.4;
/** So that a single moment has a scale too, in milliseconds. */
const shortestTime = 10;

/**
 * What was under way is drawn to scale, waits included. A pause that was much longer than any of it, before somebody replayed
 * for instance, would leave no room for it: it is folded.
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

/** Spans that lie no further apart than that, as one. */
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
