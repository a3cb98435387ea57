import { isSuccess } from '../service/isSuccess.ts';
import { durationText } from '../text/durationText.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import type { Run } from '../runs/run.ts';
import type { Mark, Outcome } from './timeline.ts';

/** The call of a run, until its answer was complete. */
export function callMark({ id, startedAt, outcome, input, headAfterMs }: Run): Mark {
  const tookMs = 'durationMs' in outcome ? outcome.durationMs : 0;
  const words = [
    plainText(`${input.method} ${input.path}`),
    ...outcomeWords(outcome),
    ...(headAfterMs === undefined ? [] : [t('answered after {0}', durationText(headAfterMs))]),
  ];
  return {
    id: `call ${id}`,
    track: 'call',
    from: startedAt,
    to: startedAt + tookMs,
    outcome: outcomeOf(outcome),
    label: labelOf(outcome),
    text: words.join(' · '),
    opens: { kind: 'answer', id },
  };
}

function outcomeOf(outcome: Run['outcome']): Outcome {
  switch (outcome.kind) {
    case 'running':
      return 'underWay';
    case 'answered':
      return isSuccess(outcome.status) ? 'good' : 'bad';
    case 'failed':
      return 'bad';
    case 'cancelled':
    case 'interrupted':
      return 'plain';
  }
}

function labelOf(outcome: Run['outcome']): string {
  if (outcome.kind === 'answered') return outcome.status.toString();
  if (outcome.kind === 'running') return '…';
  if (outcome.kind === 'interrupted') return t('interrupted by a reload');
  return outcome.kind === 'failed' ? `✗ ${t('failed')}` : t('cancelled');
}

function outcomeWords(outcome: Run['outcome']): string[] {
  switch (outcome.kind) {
    case 'running':
      return [t('running')];
    case 'answered':
      return [t('{0} in {1}', outcome.status, durationText(outcome.durationMs))];
    case 'failed':
      return [t('failed'), plainText(outcome.reason, 300)];
    case 'cancelled':
      return [t('cancelled')];
    case 'interrupted':
      return [t('interrupted by a reload')];
  }
}
