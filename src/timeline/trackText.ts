import { clockTime } from '../model/deliveries/deliveryLine.ts';
import { durationText } from '../model/text/durationText.ts';
import { t } from '../model/text/l10n.ts';
import { endOf, type Lane, type Mark, type Track } from '../model/timeline/timeline.ts';

export function trackName(track: Track): string {
  switch (track) {
    case 'call':
      return t('call');
    case 'webhook':
      return t('webhook');
    case 'app':
      return t('app');
  }
}

/** All that is known of a mark, as one text. */
export function markText(mark: Mark): string {
  return [clockTime(new Date(mark.from)), trackName(mark.track), mark.text].join(' · ');
}

/** How long something took, or has taken so far; empty for a moment. */
export function tookText(mark: Mark, now: number): string {
  const ms = endOf(mark, now) - mark.from;
  return ms > 0 ? durationText(ms) : '';
}

/** How long after the start of its lane something began. */
export function sinceText({ marks: [first] }: Lane, { from }: Mark): string {
  return first === undefined || from === first.from ? '' : `+${durationText(from - first.from)}`;
}
