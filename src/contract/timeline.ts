/** The lines of a lane: the call, the webhook requests for it, and what the local app did with them. */
export const tracks = ['call', 'webhook', 'app'] as const;
export type Track = (typeof tracks)[number];

/** The outcome of an event. Each has its own shape as well as its colour. */
export type Outcome = 'good' | 'bad' | 'refused' | 'plain' | 'underWay';

/**
 * What a click on a mark opens: a delivery, what the handler responded to an attempt of it, or the answer of a run, by
 * Runhook's own id of the run.
 */
export interface Opens {
  kind: 'delivery' | 'response' | 'answer';
  id: string;
  /** When the attempt ended, as it has it. */
  at?: string;
}

/** One event, ended or still under way. */
export interface TimelineMark {
  /** Stable: the same event has the same id in every update. */
  id: string;
  track: Track;
  /** Unix milliseconds. An event that is still under way ends later than its `to`. */
  from: number;
  to: number;
  outcome: Outcome;
  /** The text beside the mark: `✗ 404`. */
  label: string;
  /** The event in a sentence. */
  text: string;
  opens?: Opens;
}

/** One run, or deliveries that belong to no known run. Its marks are in chronological order. */
export interface Lane {
  id: string;
  title: string;
  marks: TimelineMark[];
}

/** The known runs and deliveries. The lanes are in the order of their first marks. */
export interface Timeline {
  title: string;
  lanes: Lane[];
  /** How much was left out because it would have been too much to draw. */
  leftOut: { lanes: number; marks: number };
  /** When the timeline was made, Unix milliseconds. */
  now: number;
}

const mostLanes = 50;
const mostMarksOfLane = 200;
const mostMarks = 1000;

/** The newest lanes, each with its first mark and its newest ones. Lanes without marks are dropped. */
export function bounded(all: readonly Lane[]): Pick<Timeline, 'lanes' | 'leftOut'> {
  const lanes: Lane[] = [];
  let marks = 0;
  const leftOut = { lanes: 0, marks: 0 };
  for (const lane of inOrder(all).reverse()) {
    const kept = boundedMarks(lane.marks);
    if (lanes.length === mostLanes || marks + kept.length > mostMarks) {
      leftOut.lanes += 1;
      continue;
    }
    leftOut.marks += lane.marks.length - kept.length;
    marks += kept.length;
    lanes.push({ ...lane, marks: kept });
  }
  return { lanes: lanes.reverse(), leftOut };
}

function boundedMarks(marks: readonly TimelineMark[]): TimelineMark[] {
  if (marks.length <= mostMarksOfLane) return [...marks];
  return [...marks.slice(0, 1), ...marks.slice(1 - mostMarksOfLane)];
}

function inOrder(lanes: readonly Lane[]): Lane[] {
  return lanes
    .filter(({ marks }) => marks.length > 0)
    .map((lane) => ({ ...lane, marks: lane.marks.toSorted((a, b) => a.from - b.from || a.to - b.to) }))
    .sort((a, b) => startOf(a) - startOf(b));
}

function startOf({ marks }: Lane): number {
  return marks[0]?.from ?? 0;
}

/** When a mark ends; not before `now` if it is under way. */
export function endOf({ outcome, to }: TimelineMark, now: number): number {
  return outcome === 'underWay' ? Math.max(to, now) : to;
}
