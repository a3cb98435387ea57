import type { DeliverySummary } from '../deliveries/delivery.ts';
import { verdictMark, verdictText } from '../deliveries/verdictText.ts';
import { isSuccess } from '../service/isSuccess.ts';
import { followedText, type WebhookAttempt } from '../service/webhookAttempt.ts';
import { maxAttempts } from '../service/webhookRetry.ts';
import { durationText } from '../text/durationText.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import type { Mark, Outcome } from './timeline.ts';

/** Sender and listener use the same clock, but read it at different moments of a request. */
const slackMs = 100;

/** One webhook request: as its sender reports it, as it arrived here, or both. */
type Request =
  | { attempt: WebhookAttempt; delivery?: DeliverySummary }
  | { attempt?: never; delivery: DeliverySummary };

/** Marks for the requests that deliver the webhook of a run, each request once. */
export function webhookMarks(
  deliveries: readonly DeliverySummary[],
  attempts: readonly WebhookAttempt[],
): Mark[] {
  const unmatched = new Set(deliveries);
  const sent = attempts.map((attempt): Request => {
    const delivery = [...unmatched].find((one) => isOf(one, attempt));
    if (delivery === undefined) return { attempt };
    unmatched.delete(delivery);
    return { attempt, delivery };
  });
  const requests = [...sent, ...[...unmatched].map((delivery): Request => ({ delivery }))];
  const marks = requests.map((request) => markOf(request)).sort((a, b) => a.from - b.from);
  return marks.length > 1 ? marks.map((mark, at) => ({ ...mark, label: `${at + 1} ${mark.label}` })) : marks;
}

/** Whether a delivery is the request of an attempt. */
function isOf(
  { requestId, receivedAt }: DeliverySummary,
  { at, durationMs, requestId: sent }: WebhookAttempt,
): boolean {
  const sinceMs = Date.parse(receivedAt) - Date.parse(at);
  return requestId === sent && sinceMs >= -slackMs && sinceMs <= durationMs + slackMs;
}

function markOf({ attempt, delivery }: Request): Mark {
  const from = Date.parse(attempt?.at ?? delivery?.receivedAt ?? '');
  const to = from + (attempt?.durationMs ?? 0);
  const words = [...(attempt ? attemptWords(attempt) : []), ...(delivery ? deliveryWords(delivery) : [])];
  return {
    id: delivery ? `delivery ${delivery.id}` : `attempt ${attempt?.requestId} ${attempt?.number}`,
    track: 'webhook',
    from,
    to,
    outcome: delivery ? outcomeOfDelivery(delivery) : attempt?.outcome === 'delivered' ? 'good' : 'bad',
    label: delivery ? labelOfDelivery(delivery) : labelOfAttempt(attempt),
    text: words.join(' · '),
    ...(delivery && { opens: { kind: 'delivery', id: delivery.id } }),
  };
}

function outcomeOfDelivery({ verdict, answered }: DeliverySummary): Outcome {
  if (verdict === 'unsigned' && isSuccess(answered)) return 'plain';
  if (verdict !== 'verified') return 'refused';
  return isSuccess(answered) ? 'good' : answered === 0 ? 'plain' : 'bad';
}

function labelOfDelivery({ verdict, answered, repeatOf }: DeliverySummary): string {
  const mark = repeatOf === undefined ? verdictMark(verdict) : '↻';
  const said = verdict === 'verified' ? [] : [verdictText(verdict)];
  return [mark, ...said, ...(answered === 0 ? [] : [answered])].join(' ');
}

function labelOfAttempt(attempt: WebhookAttempt | undefined): string {
  const { outcome, status } = attempt ?? {};
  return `${outcome === 'delivered' ? '✓' : '✗'} ${status ?? t('no answer')}`;
}

function attemptWords(attempt: WebhookAttempt): string[] {
  const { number, durationMs, status, error = '', cutFrom } = attempt;
  return [
    t('attempt {0} of {1}', number, maxAttempts),
    status === undefined ? plainText(error, 300) : t('{0} in {1}', status, durationText(durationMs)),
    followedText(attempt),
    ...(cutFrom === undefined ? [] : [t('cut from {0} bytes', cutFrom)]),
  ];
}

function deliveryWords({ verdict, answered, reason, repeatOf }: DeliverySummary): string[] {
  return [
    t('arrived, {0}', verdictText(verdict)),
    answered === 0 ? t('without an answer') : t('answered {0}', answered),
    ...(repeatOf === undefined ? [] : [t('repeat')]),
    ...(reason === undefined ? [] : [plainText(reason, 300)]),
  ];
}
