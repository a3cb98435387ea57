import { type Box, cutText, type Label, placeLabels, type TextSize } from './labels.ts';
import { endOf, type Lane, type Mark, type Track, tracks } from './timeline.ts';

/** What all lanes of a picture have in common. */
export interface LaneShape {
  isCompact: boolean;
  /** The x position where time begins. */
  left: number;
  /** The width of the picture. */
  width: number;
  size: TextSize;
  names: Readonly<Record<Track, string>>;
  now: number;
  x: (at: number) => number;
}

export interface PlacedMark {
  mark: Mark;
  /** The shape that is drawn. */
  box: Box;
  label?: Label;
  /** The line that shows the wait before the mark. */
  wait?: { from: number; to: number };
  /** The x position of the first byte of an answer. */
  firstByte?: number;
}

export interface PlacedLane {
  id: string;
  box: Box;
  title: Label;
  /** The lines of the lane, with their names unless the lane is compact. */
  tracks: { track: Track; middle: number; name?: Label }[];
  marks: PlacedMark[];
}

/** The minimum width of a bar, so that it can be seen and clicked. */
const narrowest = 4;
const margin = 6;

/** Places a lane whose top is at `y`. */
export function layOutLane(lane: Lane, y: number, shape: LaneShape): PlacedLane {
  return shape.isCompact ? compactLane(lane, y, shape) : roomyLane(lane, y, shape);
}

/** A title, and below it a line for each track that has marks, with more lines for labels that do not fit on it. */
function roomyLane({ id, title, marks }: Lane, y: number, shape: LaneShape): PlacedLane {
  const { left, width, size, names } = shape;
  const heading = labelAt(0, y + margin, cutText(title, width - 2, size), size);
  const placed: PlacedMark[] = [];
  const drawn: PlacedLane['tracks'] = [];
  let top = heading.y + size.line + 2;
  for (const track of tracks) {
    const trackMarks = marks.filter((mark) => mark.track === track);
    if (trackMarks.length === 0) continue;
    const thickness = track === 'webhook' ? 12 : 10;
    const middle = top + size.line / 2;
    const boxes = trackMarks.map((mark) => markAt(mark, middle, thickness, shape));
    const { labels, linesUsed } = labelled(boxes, { left, right: width, y: top, linesBelow: 3 }, size);
    placed.push(...labels);
    const name = labelAt(margin, top, cutText(names[track], left - margin - 4, size), size);
    drawn.push({ track, middle, name });
    top += (linesUsed + 1) * size.line + 4;
  }
  return {
    id,
    box: { x: 0, y, width, height: top + margin - y },
    title: heading,
    tracks: drawn,
    marks: placed,
  };
}

/** One line: the call above, the webhook in the middle, the app below. Successful marks have no label. */
function compactLane({ id, title, marks }: Lane, y: number, shape: LaneShape): PlacedLane {
  const { left, width, size } = shape;
  const height = Math.max(26, size.line + 4);
  const middles: Record<Track, number> = { call: y + 5, webhook: y + height / 2, app: y + height - 5 };
  const boxes = marks.map((mark) =>
    markAt(mark, middles[mark.track], mark.track === 'webhook' ? 8 : 6, shape),
  );
  const top = y + (height - size.line) / 2;
  const room = { left, right: width, y: top, linesBelow: 0 };
  const { labels } = labelled(boxes, room, size, ({ outcome }) => outcome !== 'good');
  const heading = labelAt(0, top, cutText(title, left - 8, size, true), size);
  const drawn = tracks.map((track) => ({ track, middle: middles[track] }));
  return { id, box: { x: 0, y, width, height }, title: heading, tracks: drawn, marks: labels };
}

function markAt(
  mark: Mark,
  middle: number,
  thickness: number,
  { x, now, left, width }: LaneShape,
): PlacedMark {
  const start = x(mark.from);
  const end = x(endOf(mark, now));
  const y = middle - thickness / 2;
  // A webhook is a symbol centred on its start, all others are bars.
  const from = mark.track === 'webhook' ? start - thickness / 2 : start;
  const least = mark.track === 'webhook' ? start + thickness / 2 : start + narrowest;
  const inside = Math.max(left, from);
  const box = { x: inside, y, width: Math.min(width, Math.max(end, least)) - inside, height: thickness };
  return {
    mark,
    box,
    ...(mark.waitedSince !== undefined && { wait: { from: x(mark.waitedSince), to: start } }),
    ...(mark.firstByte !== undefined && { firstByte: x(mark.firstByte) }),
  };
}

/** Places the labels. Failed marks choose their places first, then the newest ones. */
function labelled(
  placed: readonly PlacedMark[],
  room: Parameters<typeof placeLabels>[2],
  size: TextSize,
  isWanted: (mark: Mark) => boolean = () => true,
): { labels: PlacedMark[]; linesUsed: number } {
  const wanted = placed
    .filter(({ mark }) => isWanted(mark))
    .map((key) => ({ key, text: cutText(key.mark.label, room.right - room.left, size), beside: key.box }))
    .sort((a, b) => weight(b.key.mark) - weight(a.key.mark) || b.key.mark.from - a.key.mark.from);
  const obstacles = placed.map(({ box }) => ({ ...box, y: room.y, height: size.line }));
  const { labels, linesUsed } = placeLabels(wanted, obstacles, room, size);
  const withLabels = placed.map((one) => {
    const label = labels.get(one);
    return label === undefined ? one : { ...one, label };
  });
  return { labels: withLabels, linesUsed };
}

function weight({ outcome }: Mark): number {
  return outcome === 'bad' || outcome === 'refused' ? 1 : 0;
}

function labelAt(x: number, y: number, text: string, size: TextSize): Label {
  return { x, y, width: size.width(text), height: size.line, text };
}
