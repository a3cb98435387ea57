import { clockTime, durationText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Lane, type TimelineMark, type Track, endOf } from '../../contract/timeline.ts';

/** Where something stands on the axis of its lane, in percent of that. */
export interface Place {
  from: number;
  to: number;
}

/** A mark and its place. */
export interface PlacedMark extends Place {
  mark: TimelineMark;
}

/** A pause that is not drawn to scale, and its place. */
export interface Break extends Place {
  ms: number;
}

/** Pauses up to this long are always drawn to scale. In milliseconds. */
const shortPauseMs = 5000;
/** How much of the axis a break takes, and all of them at most, in percent. */
const [breakWidth, mostBreaks] = [10, 50];

/**
 * Puts the marks of a lane on its axis, to scale: as long as they lasted, and as far apart as they were. A pause more than
 * three times as long as all that happened would leave no room for that: it is a break of one width, whatever its length.
 * @param now Unix milliseconds: when what is still under way ends for now
 */
export function laneScale({ marks }: Lane, now: number): { marks: PlacedMark[]; breaks: Break[] } {
  const moments = [...new Set(marks.flatMap((mark) => [mark.from, endOf(mark, now)]))].sort((a, b) => a - b);
  const spans = moments.slice(1).map((end, at) => {
    const start = moments[at] ?? end;
    return { ms: end - start, isPause: marks.every((mark) => mark.from >= end || endOf(mark, now) <= start) };
  });
  const busyMs = spans.reduce((sum, { ms, isPause }) => sum + (isPause ? 0 : ms), 0);
  const longestPause = Math.max(shortPauseMs, 3 * busyMs);
  const isBreak = ({ ms, isPause }: (typeof spans)[number]): boolean => isPause && ms > longestPause;
  const pauses = spans.filter(isBreak).length;
  const ofBreak = pauses === 0 ? 0 : Math.min(breakWidth, mostBreaks / pauses);
  const drawnMs = spans.reduce((sum, span) => sum + (isBreak(span) ? 0 : span.ms), 0);
  const perMs = drawnMs === 0 ? 0 : (100 - ofBreak * pauses) / drawnMs;
  const breaks: Break[] = [];
  const places = new Map<number, number>();
  let place = 0;
  for (const [at, moment] of moments.entries()) {
    places.set(moment, place);
    const span = spans[at];
    if (span === undefined) break;
    const next = place + (isBreak(span) ? ofBreak : span.ms * perMs);
    if (isBreak(span)) breaks.push({ ms: span.ms, from: place, to: next });
    place = next;
  }
  const placeOf = (moment: number): number => places.get(moment) ?? 0;
  return {
    marks: marks.map((mark) => ({ mark, from: placeOf(mark.from), to: placeOf(endOf(mark, now)) })),
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
