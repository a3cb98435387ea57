import type { Box } from '../model/timeline/labels.ts';
import type { PlacedMark } from '../model/timeline/laneLayout.ts';
import type { Picture } from '../model/timeline/layout.ts';
import { tracks } from '../model/timeline/timeline.ts';

/** The marks as the arrow keys move through them: one row per track of a lane, each in the order of time. */
function rowsOf({ lanes }: Picture): PlacedMark[][] {
  return lanes
    .flatMap(({ marks }) => tracks.map((track) => marks.filter(({ mark }) => mark.track === track)))
    .filter((row) => row.length > 0);
}

/** The mark that a key moves to; undefined if there is none. @param id of the mark that has the focus */
export function markByKey(picture: Picture, id: string, key: string): PlacedMark | undefined {
  const rows = rowsOf(picture);
  const row = rows.findIndex((marks) => marks.some(({ mark }) => mark.id === id));
  const currentRow = rows[row] ?? [];
  const at = currentRow.findIndex(({ mark }) => mark.id === id);
  if (key === 'ArrowLeft') return currentRow[at - 1];
  if (key === 'ArrowRight') return currentRow[at + 1];
  if (key === 'Home') return currentRow[0];
  if (key === 'End') return currentRow.at(-1);
  if (key === 'ArrowUp') return nearest(rows[row - 1], currentRow[at]);
  return key === 'ArrowDown' ? nearest(rows[row + 1], currentRow[at]) : undefined;
}

function nearest(row: readonly PlacedMark[] = [], from: PlacedMark | undefined): PlacedMark | undefined {
  if (from === undefined) return undefined;
  const distance = ({ box }: PlacedMark): number => Math.abs(middle(box) - middle(from.box));
  return row.toSorted((a, b) => distance(a) - distance(b))[0];
}

function middle({ x, width }: Box): number {
  return x + width / 2;
}
