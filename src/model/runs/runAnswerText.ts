import { clockTime } from '../deliveries/deliveryLine.ts';
import { brokenOffText } from '../text/brokenOffText.ts';
import { bytesText } from '../text/bytesText.ts';
import { durationText } from '../text/durationText.ts';
import { refusalText } from './refusedRun.ts';
import type { Run } from './run.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { verdictText } from '../deliveries/verdictText.ts';

/** What is shown of a run and its answer. */
export interface AnswerView extends Pick<Run, 'outcome' | 'runId' | 'delivery' | 'brokenOff'> {
  method: string;
  /** Without the webhook address. */
  url: string;
  /** Where the result is sent, besides the answer. */
  results: readonly string[];
  head?: { status: number; headers: Record<string, string>; afterMs: number };
  /** What to check while the delivery has not arrived. */
  hints?: readonly string[];
  /** `bytes`: the size of the body; absent while it keeps changing. */
  body?: { text: string; bytes?: number; note?: string };
}

/** The document of an answer: the call, how it went, the headers, the body. */
export function runAnswerText(view: AnswerView): string {
  const { head, body, hints = [] } = view;
  const call = [`${view.method} ${view.url}`, ...view.results.map((address) => `→ ${address}`)];
  const parts = [
    call,
    [outcomeText(view), ...deliveryLines(view), ...hints.map((hint) => `- ${hint}`)],
    ...(head ? [Object.entries(head.headers).map(([name, value]) => `${name}: ${value}`)] : []),
    ...(body?.note === undefined ? [] : [[body.note]]),
  ];
  const top = parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
  return body === undefined || body.text === '' ? `${top}\n` : `${top}\n\n${body.text}`;
}

function outcomeText({ outcome, head, body, runId }: AnswerView): string {
  const details = [
    ...(head ? [String(head.status)] : []),
    ...(body?.bytes === undefined ? [] : [bytesText(body.bytes)]),
    ...(runId === undefined ? [] : [plainText(runId)]),
  ].join(' · ');
  const status = details === '' ? '' : `${details} · `;
  switch (outcome.kind) {
    case 'running':
      return head
        ? t('{0}headers after {1}, receiving the body', status, durationText(head.afterMs))
        : t('Waiting for the answer');
    case 'answered':
      return t('{0}in {1}', status, durationText(outcome.durationMs));
    case 'failed':
      return t(
        '{0}failed after {1}: {2}',
        status,
        durationText(outcome.durationMs),
        plainText(outcome.reason, 300),
      );
    case 'cancelled':
      return t('{0}cancelled after {1}', status, durationText(outcome.durationMs));
    case 'interrupted':
      // First, since the line is long and may be cut.
      return [t('Interrupted by a reload'), ...(details === '' ? [] : [details])].join(' · ');
  }
}

/** Undefined unless the run was answered with a 5xx, after which no delivery is waited for. */
function failedText({ outcome }: AnswerView): string | undefined {
  if (outcome.kind !== 'answered' || outcome.status < 500) return undefined;
  return t(
    'Not delivered: the run failed ({0}), so nothing is waited for. What still comes is shown here.',
    outcome.status,
  );
}

function soFarText({ brokenOff }: AnswerView): string {
  if (brokenOff === undefined) return t('Not delivered yet');
  return t('Not delivered yet: {0}', brokenOffText(brokenOff.bytes, brokenOff.announced));
}

function deliveryLines(view: AnswerView): string[] {
  const { results, delivery } = view;
  if (results.length === 0) return [];
  if (delivery === undefined) {
    return [refusalText(view) ?? failedText(view) ?? soFarText(view)];
  }
  const at = clockTime(new Date(delivery.receivedAt));
  const verdict = verdictText(delivery.verdict);
  if (delivery.repeats === 0) return [t('Delivered: {0}, {1}', verdict, at)];
  return delivery.repeats === 1
    ? [t('Delivered: {0}, {1}, and once more', verdict, at)]
    : [t('Delivered: {0}, {1}, and {2} more times', verdict, at, delivery.repeats)];
}
