import { clockTime, durationText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Lane, type TimelineMark, type Track, endOf } from '../../contract/timeline.ts';

/** A mark, and the grid lines of its first and last column. The first line of time is 2, after the names. */
export interface GridMark {
  mark: TimelineMark;
  from: number;
  to: number;
}

/** Pauses up to this long are always drawn to scale. In milliseconds. */
const shortPauseMs = 5000;

/**
 * The columns of a lane, as a value of `grid-template-columns`: that of the names, then one between each two moments at
 * which something began or ended, as wide as it lasted and at least as wide as the labels in it. A long pause is drawn
 * at most three times as long as all that happened, so that it leaves room for that.
 * @param now Unix milliseconds: when what is still under way ends for now
 */
export function laneGrid({ marks }: Lane, now: number): { columns: string; marks: GridMark[] } {
  const moments = [...new Set(marks.flatMap((mark) => [mark.from, endOf(mark, now)]))].sort((a, b) => a - b);
  const spans = moments.slice(1).map((end, at) => {
    const start = moments[at] ?? end;
    return { ms: end - start, isPause: marks.every((mark) => mark.from >= end || endOf(mark, now) <= start) };
  });
  const busyMs = spans.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const longestPause = Math.max(shortPauseMs, 3 * busyMs);
  const widths = spans.map(({ ms, isPause }) => (isPause ? Math.min(ms, longestPause) : ms));
  return {
    // First the names of the tracks; the last column is for what happened at the last moment and took no time.
    columns: ['max-content', ...widths.map((ms) => `minmax(min-content, ${Math.max(1, ms)}fr)`), 'auto'].join(
      ' ',
    ),
    marks: marks.map((mark) => {
      const from = moments.indexOf(mark.from) + 2;
      return { mark, from, to: Math.max(from + 1, moments.indexOf(endOf(mark, now)) + 2) };
    }),
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
