import { isGivenUp, refusedStatus, type Run } from '../service/runs/run.ts';
import { brokenOffText } from '../shared/text/bytesText.ts';
import { durationText } from '../shared/text/durationText.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';
import { t } from '../shared/text/l10n.ts';
import { handlerText, outcomeIcon, type OutcomeIcon, outcomeOf, outcomeInHandler } from './outcomeText.ts';

/** What became of a run, for its row and that of its app. */
export interface RunOutcomeLook extends OutcomeIcon {
  text: string;
  /** Whether somebody should look at it. */
  isBad: boolean;
}

const good = { icon: 'pass', color: 'charts.green', isBad: false };
const warning = { icon: 'warning', color: 'problemsWarningIcon.foreground', isBad: true };

/**
 * The state of a run. Where it was delivered, it is that of its delivery: the two rows never disagree. Where the app
 * failed all the same, that is what became of the run.
 */
export function runOutcome(run: Run): RunOutcomeLook {
  const { outcome, delivery } = run;
  if (outcome.kind === 'running') return { icon: 'sync~spin', text: t('running'), isBad: false };
  if (delivery === undefined) return undelivered(run, outcome);
  if (outcome.kind === 'failed') return { ...warning, text: failedText(outcome) ?? '' };
  if (outcome.kind === 'answered' && outcome.status >= 400)
    return { ...warning, text: t('app {0}', outcome.status) };
  const { forward, madeHere } = delivery;
  const deliveryOutcome = outcomeOf(delivery);
  const isHandled = deliveryOutcome === 'failed' || (deliveryOutcome === 'verified' && madeHere !== true);
  const ofHandler = isHandled && forward && handlerText(forward, true);
  const said = ofHandler
    ? [ofHandler, madeHere === true ? t('made here') : []].flat().join(' · ')
    : outcomeInHandler(delivery, true);
  // The status of the run itself is told while the handler has said nothing.
  const isSilent = deliveryOutcome === 'verified' && forward === undefined;
  const text =
    outcome.kind === 'answered'
      ? [isSilent ? outcome.status : [], said].flat().join(' · ')
      : `${outcome.kind === 'cancelled' ? t('cancelled') : t('interrupted')} · ${said}`;
  const look = outcomeIcon(delivery);
  return { ...look, text, isBad: ['warning', 'error'].includes(look.icon) };
}

function undelivered(run: Run, outcome: Exclude<Run['outcome'], { kind: 'running' }>): RunOutcomeLook {
  switch (outcome.kind) {
    case 'cancelled':
      return { icon: 'circle-slash', text: t('cancelled'), isBad: false };
    case 'interrupted':
      return { icon: 'debug-disconnect', text: t('interrupted'), isBad: false };
    case 'failed':
      return {
        icon: 'error',
        color: 'problemsErrorIcon.foreground',
        text: failedText(outcome) ?? '',
        isBad: true,
      };
    case 'answered':
      break;
  }
  const { status, durationMs } = outcome;
  const isGood = status < 400 && refusedStatus(run) === undefined;
  // A response that names the run is of the app.
  const said = status >= 400 && run.runId !== undefined ? t('app {0}', status) : status.toString();
  if (run.input.webhook === false) {
    return { ...(isGood ? good : warning), text: `${said} · ${durationText(durationMs)}` };
  }
  // The row is that of the app that was just clicked, where ▶ and ⚙ leave little room.
  const isAwaited = isSuccess(status) && run.awaited === true && run.brokenOff === undefined;
  const text = isAwaited || run.largerThan !== undefined ? missingText(run) : `${said} · ${missingText(run)}`;
  return { ...(isGood && !isGivenUp(run) ? { icon: 'pass', isBad: false } : warning), text };
}

function failedText(outcome: Run['outcome']): string | undefined {
  if (outcome.kind !== 'failed') return undefined;
  return outcome.bytes === undefined ? (outcome.short ?? t('failed')) : brokenOffText(outcome.bytes);
}

/** Why there is no delivery, or none yet. */
function missingText(run: Run): string {
  const { input, brokenOff, largerThan, outcome } = run;
  if (refusedStatus(run) !== undefined) return t('not delivered');
  if (largerThan !== undefined) return t('body too large');
  if (brokenOff !== undefined) return brokenOffText(brokenOff.bytes, brokenOff.announced);
  if (typeof input.webhook === 'string') return t('sent elsewhere');
  if (run.awaited === true) return t('no delivery yet');
  // It may be among the deliveries.
  const isUnknown = run.runId === undefined && outcome.kind === 'answered' && isSuccess(outcome.status);
  return isUnknown ? t('run id not known') : t('not delivered');
}
