import { clockTime, durationText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Lane, type TimelineMark, type Track, endOf } from '../../contract/timeline.ts';

/** A mark, and the grid lines of its first and last column. The first line of time is 2, after the names. */
export interface GridMark {
  mark: TimelineMark;
  from: number;
  to: number;
}

/** A pause that is not drawn to scale, and the grid line of the column that stands for it. */
export interface GridBreak {
  ms: number;
  from: number;
}

/** Pauses up to this long are always drawn to scale. In milliseconds. */
const shortPauseMs = 5000;

/**
 * The columns of a lane, as a value of `grid-template-columns`: that of the names, then one between each two moments at
 * which something began or ended, as wide as it lasted and at least as wide as the labels in it. A pause more than three
 * times as long as all that happened would leave no room for that: it has a column for the labels at its start and one
 * for a break, whatever its length.
 * @param now Unix milliseconds: when what is still under way ends for now
 */
export function laneGrid(
  { marks }: Lane,
  now: number,
): { columns: string; marks: GridMark[]; breaks: GridBreak[] } {
  const moments = [...new Set(marks.flatMap((mark) => [mark.from, endOf(mark, now)]))].sort((a, b) => a - b);
  const spans = moments.slice(1).map((end, at) => {
    const start = moments[at] ?? end;
    return { ms: end - start, isPause: marks.every((mark) => mark.from >= end || endOf(mark, now) <= start) };
  });
  const busyMs = spans.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const longestPause = Math.max(shortPauseMs, 3 * busyMs);
  const columns = ['max-content'];
  const breaks: GridBreak[] = [];
  /** The grid line of each moment but the last. */
  const lines = spans.map(({ ms, isPause }) => {
    const line = columns.length + 1;
    if (isPause && ms > longestPause) {
      columns.push('max-content', 'max-content');
      breaks.push({ ms, from: line + 1 });
    } else {
      columns.push(`minmax(min-content, ${Math.max(1, ms)}fr)`);
    }
    return line;
  });
  const lineOf = (moment: number) => lines[moments.indexOf(moment)] ?? columns.length + 1;
  return {
    // First the names of the tracks; the last column is for what happened at the last moment and took no time.
    columns: [...columns, 'auto'].join(' '),
    marks: marks.map((mark) => {
      const from = lineOf(mark.from);
      return { mark, from, to: Math.max(from + 1, lineOf(endOf(mark, now))) };
    }),
    breaks,
  };
}

export function trackName(track: Track): string {
  switch (track) {
    case 'call':
      return t('call');
    case 'webhook':
      return t('webhook');
    case 'app':
      return t('your handler');
  }
}

/** All that is known of a mark, as one text. */
export function markText(mark: TimelineMark): string {
  return [clockTime(new Date(mark.from)), trackName(mark.track), mark.text].join(' · ');
}

/** How long something took, or has taken so far; empty for a moment. */
export function tookText(mark: TimelineMark, now: number): string {
  const ms = endOf(mark, now) - mark.from;
  return ms > 0 ? durationText(ms) : '';
}

/** How long after the start of its lane something began. */
export function sinceText({ marks: [first] }: Lane, { from }: TimelineMark): string {
  return first === undefined || from === first.from ? '' : `+${durationText(from - first.from)}`;
}
