import type { Box } from '../model/timeline/labels.ts';
import type { PlacedMark } from '../model/timeline/laneLayout.ts';
import type { Picture } from '../model/timeline/layout.ts';
import { tracks } from '../model/timeline/timeline.ts';

/** The marks as the arrow keys walk through them: a row for each line of a lane, the marks in the order of time. */
function rowsOf({ lanes }: Picture): PlacedMark[][] {
  return lanes
    .flatMap(({ marks }) => tracks.map((track) => marks.filter(({ mark }) => mark.track === track)))
    .filter((row) => row.length > 0);
}

/** The mark that a key leads to; undefined where it leads nowhere. @param id of the mark that has the focus */
export function markByKey(picture: Picture, id: string, key: string): PlacedMark | undefined {
  const rows = rowsOf(picture);
  const row = rows.findIndex((marks) => marks.some(({ mark }) => mark.id === id));
  const own = rows[row] ?? [];
  const at = own.findIndex(({ mark }) => mark.id === id);
  if (key === 'ArrowLeft') return own[at - 1];
  if (key === 'ArrowRight') return own[at + 1];
  if (key === 'Home') return own[0];
  if (key === 'End') return own.at(-1);
  if (key === 'ArrowUp') return nearest(rows[row - 1], own[at]);
  return key === 'ArrowDown' ? nearest(rows[row + 1], own[at]) : undefined;
}

function nearest(row: readonly PlacedMark[] = [], from: PlacedMark | undefined): PlacedMark | undefined {
  if (from === undefined) return undefined;
  const away = ({ box }: PlacedMark): number => Math.abs(middle(box) - middle(from.box));
  return row.toSorted((a, b) => away(a) - away(b))[0];
}

function middle({ x, width }: Box): number {
  return x + width / 2;
}
