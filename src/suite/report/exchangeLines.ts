import { durationText } from '../../model/text/durationText.ts';
import { t } from '../../model/text/l10n.ts';
import type { Exchange } from '../run/exchange.ts';

/** How much of an answer is shown, in characters. */
const shown = 4096;

/** A request and the app's answer as lines. The caller has to remove control characters when it prints them. */
export function exchangeLines({ request, durationMs, answer, problem, withinMs }: Exchange): string[] {
  if (answer === undefined) {
    const reason =
      problem?.kind === 'failed'
        ? t('no answer: {0}', problem.reason)
        : t('no answer within {0}', durationText(withinMs));
    return [`  ${request}`, `  → ${reason}`];
  }
  const { status, headers, body } = answer;
  const text = body.length > shown ? `${body.slice(0, shown)}…` : body;
  return [
    `  ${request}`,
    `  → ${status} (${durationText(durationMs)})`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(text === '' ? [] : text.split(/\r\n|\r|\n/).map((line) => `    ${line}`)),
  ];
}
