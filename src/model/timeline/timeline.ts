/** The lines of a lane: what was called, what was sent for it, what the local app did with that. */
export const tracks = ['call', 'webhook', 'app'] as const;
export type Track = (typeof tracks)[number];

/** How something went. Each has a shape of its own beside its colour. */
export type Outcome = 'good' | 'bad' | 'refused' | 'plain' | 'underWay';

/** Where a click on a mark leads: to a delivery, or to the answer of a run by Runhook's own id of it. */
export interface Opens {
  kind: 'delivery' | 'answer';
  id: string;
}

/** One thing that happened, or that still does. */
export interface Mark {
  /** The same for the same thing, however often it is told. */
  id: string;
  track: Track;
  /** Unix milliseconds. What is still under way ends later than its `to`. */
  from: number;
  to: number;
  outcome: Outcome;
  /** Since when it was waited for: the end of the attempt before it. */
  waitedSince?: number;
  /** When the first of an answer came, which went on until `to`. */
  firstByte?: number;
  /** What stands beside it: `✗ 404`. */
  label: string;
  /** The same in a sentence. */
  text: string;
  opens?: Opens;
}

/** One run, or deliveries that belong to none that is known. Its marks are in the order of time. */
export interface Lane {
  id: string;
  title: string;
  marks: Mark[];
}

/** What is known of runs and deliveries. Its lanes are in the order of their first marks. */
export interface Timeline {
  title: string;
  lanes: Lane[];
  /** What would have been too much to draw. */
  leftOut: { lanes: number; marks: number };
  /** When it was told, Unix milliseconds. */
  now: number;
}

const mostLanes = 50;
const mostMarksOfLane = 200;
const mostMarks = 1000;

/** The newest lanes, and of a lane its first mark and the newest ones. Lanes without marks are no lanes. */
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

function boundedMarks(marks: readonly Mark[]): Mark[] {
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

/** When a mark ends, as far as it has come. */
export function endOf({ outcome, to }: Mark, now: number): number {
  return outcome === 'underWay' ? Math.max(to, now) : to;
}
