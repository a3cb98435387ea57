import type { Attempt, AttemptKind, DeliverySummary } from '../deliveries/delivery.ts';
import { isTaken } from '../deliveries/forwardText.ts';
import { attemptText } from '../deliveries/outcomeText.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import type { Mark } from './timeline.ts';

/** A mark for each time that a delivery was sent to the local app, with its duration. */
export function appMarks(delivery: DeliverySummary, isForwarding: boolean): Mark[] {
  const marks = (delivery.attempts ?? []).map((attempt, at) => markOf(delivery.id, attempt, at));
  return isForwarding ? [...marks, underWay(delivery)] : marks;
}

function markOf(delivery: string, attempt: Attempt, at: number): Mark {
  const { at: ended, durationMs, kind, status, to, answer } = attempt;
  const sign = kind === 'forward' ? '' : '↺ ';
  const words = [
    kindText(kind),
    attemptText(attempt),
    URL.parse(to)?.host ?? to,
    ...(answer === undefined || isTaken(attempt) ? [] : [answer]),
  ];
  return {
    // An attempt has no id of its own: its end time and its position identify it.
    id: `app ${delivery} ${ended} ${at}`,
    track: 'app',
    from: Date.parse(ended) - durationMs,
    to: Date.parse(ended),
    outcome: isTaken(attempt) ? 'good' : 'bad',
    label: `${sign}${status ?? t('no answer')}`,
    text: words.map((word) => plainText(word, 300)).join(' · '),
    opens: { kind: 'delivery', id: delivery },
  };
}

function underWay({ id, receivedAt }: DeliverySummary): Mark {
  const from = Date.parse(receivedAt);
  return {
    id: `app ${id}`,
    track: 'app',
    from,
    to: from,
    outcome: 'underWay',
    label: '…',
    text: t('your app is at it'),
    opens: { kind: 'delivery', id },
  };
}

function kindText(kind: AttemptKind): string {
  switch (kind) {
    case 'forward':
      return t('handed on');
    case 'replay':
      return t('replayed');
    case 'signedAnew':
      return t('replayed, signed again');
    case 'edited':
      return t('replayed, edited');
  }
}
