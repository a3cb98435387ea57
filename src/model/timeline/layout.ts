import { maxDelayMs } from '../service/webhookRetry.ts';
import { type Box, type Label, overlap, type TextSize } from './labels.ts';
import { layOutLane, type LaneShape, type PlacedLane } from './laneLayout.ts';
import { sinceStartText, ticksOf } from './ticks.ts';
import { endOf, type Lane, type Timeline } from './timeline.ts';
import { type Span, type TimeScale, timeScale } from './timeScale.ts';

/** What a picture is drawn into. */
export interface Paper {
  width: number;
  size: TextSize;
  /** The names of the tracks, in the user's language. */
  names: LaneShape['names'];
  /** The current time, until which marks under way are drawn, Unix milliseconds. */
  now: number;
}

export interface PlacedFold extends Box {
  ms: number;
  label?: Label;
}

/** The layout of a timeline, in pixels. */
export interface Picture {
  width: number;
  height: number;
  /** Whether each lane is a single line. */
  isCompact: boolean;
  /** The x position where time begins. */
  left: number;
  /** The labels of the axis; their `x` is the tick's plus a little. */
  ticks: { x: number; label: Label }[];
  folds: PlacedFold[];
  lanes: PlacedLane[];
}

/** From this many lanes on, each is a single line, so that all can be seen at once. */
const compactFrom = 6;
const narrowest = 200;
/** How long an app may run before its webhook arrives, in milliseconds. */
const longestRunMs = 15 * 60_000;
/** The longest wait of the service between two attempts, with some margin, in milliseconds. */
const longestDelayMs = 3 * maxDelayMs;
const tickApart = 28;
/** The space between a tick and its label. */
const tickGap = 3;
/** Some room for the label to the right of the last mark. */
const rightMargin = 48;

/** Places everything of a timeline: later is further right, nothing lies outside, and no label covers another. */
export function layOut(timeline: Timeline, { width: wanted, size, names, now }: Paper): Picture {
  const width = Math.max(narrowest, wanted);
  const isCompact = timeline.lanes.length >= compactFrom;
  const left = gutter(timeline.lanes, isCompact, width, { size, names });
  const scale = timeScale(
    timeline.lanes.flatMap((lane) => spansOf(lane, now)),
    left,
    width - rightMargin,
  );
  const top = size.line + 8;
  const shape: LaneShape = { isCompact, left, width, size, names, now, x: (at) => scale.x(at) };
  const lanes: PlacedLane[] = [];
  let y = top;
  for (const lane of timeline.lanes) {
    const placed = layOutLane(lane, y, shape);
    lanes.push(placed);
    y += placed.box.height;
  }
  const height = y + 4;
  return { width, height, isCompact, left, ...axis(scale, { width, height, size }), lanes };
}

/** The width of the column to the left of the time axis. */
function gutter(
  lanes: readonly Lane[],
  isCompact: boolean,
  width: number,
  { size, names }: Pick<Paper, 'size' | 'names'>,
): number {
  const texts = isCompact ? lanes.map(({ title }) => title) : Object.values(names);
  const widest = Math.max(0, ...texts.map((text) => size.width(text)));
  return Math.min(widest + 16, width * (isCompact ? 0.35 : 0.3));
}

/** When something was under way, including the waits for the webhook and for its next attempt by the service. */
function spansOf({ marks }: Lane, now: number): Span[] {
  const [first] = marks;
  const webhooks = marks.filter(({ track }) => track === 'webhook');
  const waits = webhooks.map((mark): Span => [mark.waitedSince ?? first?.from ?? mark.from, mark.from]);
  // A request after a longer wait was sent by a person.
  const ofService = waits.filter(([from, to], at) => to - from < (at === 0 ? longestRunMs : longestDelayMs));
  return [...marks.map((mark): Span => [mark.from, endOf(mark, now)]), ...ofService];
}

function axis(
  scale: TimeScale,
  { width, height, size }: { width: number; height: number; size: TextSize },
): Pick<Picture, 'ticks' | 'folds'> {
  const taken: Label[] = [];
  const place = (text: string, x: number): Label | undefined => {
    const label = { x, y: 2, width: size.width(text), height: size.line, text };
    const isFree =
      x >= 0 && x + label.width <= width && !taken.some((other) => overlap(label, other, tickGap));
    if (isFree) taken.push(label);
    return isFree ? label : undefined;
  };
  const folds = scale.folds.map(({ x, width: wide, ms }): PlacedFold => {
    const text = sinceStartText(ms, 1000);
    const label = place(text, x + (wide - size.width(text)) / 2);
    return { x, y: 0, width: wide, height, ms, ...(label && { label }) };
  });
  const ticks = ticksOf(scale, size.width('00 min') + tickApart).flatMap(({ x, text }) => {
    const label = place(text, x + tickGap);
    return label ? [{ x, label }] : [];
  });
  return { ticks, folds };
}
