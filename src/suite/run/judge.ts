import type { JsonPath } from '../../model/json/jsonCursor.ts';
import { durationText } from '../../model/text/durationText.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Expectation, ExpectedStatus } from '../fixture/fixtureSchema.ts';
import type { AppAnswer, Exchange } from './exchange.ts';

/** An expectation that an answer does not meet. */
export interface Miss {
  kind: 'silent' | 'status' | 'body' | 'header' | 'unended';
  /** The field of the expectation. */
  path: JsonPath;
  /** What was expected, and what came, as sentences. */
  message: string;
  /** The same as two texts, for a comparison. */
  expected: string;
  actual: string;
}

/** How much of a text is shown in a message, in characters. */
const shown = 200;

/** The parts of an expectation that an exchange does not meet. */
export function missesOf(expect: Expectation, { answer, problem, withinMs }: Exchange): Miss[] {
  const time = durationText(withinMs);
  if (answer === undefined) {
    const actual =
      problem?.kind === 'failed' ? t('no answer: {0}', problem.reason) : t('no answer within {0}', time);
    const expected = expect.status === undefined ? t('an answer') : String(expect.status);
    return [{ kind: 'silent', path: ['within'], expected, actual, message: comparedText(expected, actual) }];
  }
  return [...statusMiss(expect, answer), ...headerMisses(expect, answer), ...bodyMiss(expect, answer, time)];
}

function statusMiss({ status }: Expectation, answer: AppAnswer): Miss[] {
  if (status === undefined || hasStatus(status, answer.status)) return [];
  const expected = String(status);
  const actual = String(answer.status);
  return [{ kind: 'status', path: ['status'], expected, actual, message: comparedText(expected, actual) }];
}

function headerMisses({ headers = {} }: Expectation, answer: AppAnswer): Miss[] {
  return Object.entries(headers).flatMap(([name, expected]) => {
    const actual = answer.headers[name.toLowerCase()];
    if (actual === expected) return [];
    const line = (value: string): string => `${name}: ${value}`;
    const came = actual === undefined ? t('no header {0}', name) : line(actual);
    const message = comparedText(line(expected), came);
    return [
      { kind: 'header' as const, path: ['headers', name], expected: line(expected), actual: came, message },
    ];
  });
}

function bodyMiss({ bodyContains }: Expectation, answer: AppAnswer, time: string): Miss[] {
  const { body, ending } = answer;
  if (bodyContains !== undefined && !body.includes(bodyContains)) {
    const message = lackText(shownText(bodyContains), answer);
    return [{ kind: 'body', path: ['bodyContains'], expected: bodyContains, actual: body, message }];
  }
  if (ending === 'whole') return [];
  const expected = t('an answer that ends within {0}', time);
  const message =
    ending === 'late'
      ? t('The answer began, and did not end within {0}.', time)
      : t('The answer began, and broke off before its end.');
  return [{ kind: 'unended', path: ['within'], expected, actual: body, message }];
}

function lackText(expected: string, { body, isText }: AppAnswer): string {
  if (!isText) return t('Expected an answer that contains "{0}", but it is not text.', expected);
  return body === ''
    ? t('Expected an answer that contains "{0}", but it is empty.', expected)
    : t('Expected an answer that contains "{0}", got "{1}".', expected, shownText(body));
}

function hasStatus(expected: ExpectedStatus, status: number): boolean {
  if (typeof expected === 'number') return status === expected;
  return expected.split(' or ').includes(`${String(status).charAt(0)}xx`);
}

export function comparedText(expected: string, actual: string): string {
  return t('Expected {0}, got {1}.', shownText(expected), shownText(actual));
}

/** The beginning of a text, made fit for a sentence. */
export function shownText(text: string): string {
  return plainText(text, shown);
}
