import type { TimeScale } from './timeScale.ts';

export interface Tick {
  x: number;
  text: string;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 30, 90, 365].map((count) => count * day),
];
const mostTicks = 1000;

/** The labelled times of the axis, counted from its start. @param apart width of a label and the space around it */
export function ticksOf({ spans, pxPerMs, x }: TimeScale, apart: number): Tick[] {
  const [start = 0] = spans[0] ?? [];
  const step = steps.find((one) => one * pxPerMs >= apart) ?? 365 * day;
  const ticks: Tick[] = [];
  for (const [from, to] of spans) {
    const first = Math.ceil((from - start) / step) * step;
    for (let at = first; at <= to - start && ticks.length < mostTicks; at += step) {
      ticks.push({ x: x(start + at), text: sinceStartText(at, step) });
    }
  }
  return ticks;
}

/** `250 ms`, `2 s`, `3 min 20 s`, `2 h 5 min`: as precise as the step between two ticks requires. */
export function sinceStartText(ms: number, step: number): string {
  if (ms >= day) return parts([Math.floor(ms / day), 'd'], [Math.floor((ms % day) / hour), 'h']);
  if (ms >= hour) return parts([Math.floor(ms / hour), 'h'], [Math.floor((ms % hour) / minute), 'min']);
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.min(step, second))));
  const seconds = ((ms % minute) / second).toFixed(digits);
  if (ms >= minute) return parts([Math.floor(ms / minute), 'min'], [Number(seconds), 's']);
  return ms > 0 && ms < second ? `${Math.round(ms)} ms` : `${Number(seconds)} s`;
}

function parts(...all: [count: number, unit: string][]): string {
  return all
    .filter(([count], at) => at === 0 || count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
