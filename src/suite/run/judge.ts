import type { JsonPath } from '../../shared/json/jsonCursor.ts';
import { failureReason } from '../../deliveries/outcomeText.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { Expectation, ExpectedStatus, VariantName } from '../fixture/fixtureSchema.ts';
import { type HandlerAnswer, type Exchange, noAnswerText } from './exchange.ts';

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
export function missesOf(expect: Expectation, done: Exchange): Miss[] {
  const { answer, withinMs } = done;
  if (answer === undefined) {
    const actual = noAnswerText(done);
    const expected = expect.status === undefined ? t('a response') : String(expect.status);
    return [{ kind: 'silent', path: ['within'], expected, actual, message: comparedText(expected, actual) }];
  }
  return [
    ...statusMiss(expect, answer),
    ...headerMisses(expect, answer),
    ...bodyMiss(expect, answer, durationText(withinMs)),
  ];
}

function statusMiss({ status }: Expectation, answer: HandlerAnswer): Miss[] {
  if (status === undefined || hasStatus(status, answer.status)) return [];
  const expected = String(status)
    .split(' or ')
    .reduce((first, next) => t('{0} or {1}', first, next));
  const actual = String(answer.status);
  return [{ kind: 'status', path: ['status'], expected, actual, message: comparedText(expected, actual) }];
}

function headerMisses({ headers = {} }: Expectation, answer: HandlerAnswer): Miss[] {
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

function bodyMiss({ bodyContains }: Expectation, answer: HandlerAnswer, time: string): Miss[] {
  const { body, ending } = answer;
  if (bodyContains !== undefined && !body.includes(bodyContains)) {
    const message = lackText(shownText(bodyContains), answer);
    return [{ kind: 'body', path: ['bodyContains'], expected: bodyContains, actual: body, message }];
  }
  if (ending === 'whole') return [];
  const expected = t('a response that ends within {0}', time);
  const message =
    ending === 'late'
      ? t('The response began, but did not end within {0}.', time)
      : t('The response began, but broke off before its end.');
  return [{ kind: 'unended', path: ['within'], expected, actual: body, message }];
}

function lackText(expected: string, { body, isText }: HandlerAnswer): string {
  if (!isText) return t('Expected a response that contains "{0}", but it is not text.', expected);
  return body === ''
    ? t('Expected a response that contains "{0}", but it is empty.', expected)
    : t('Expected a response that contains "{0}", got "{1}".', expected, shownText(body));
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

/** What the handler probably does wrong, in a sentence or two; undefined if there is no good guess. */
export function likelyCause(
  kind: VariantName,
  { request, answer, problem }: Exchange,
  { isSigned, isToBeRefused }: { isSigned: boolean; isToBeRefused: boolean },
): string | undefined {
  if (problem !== undefined) {
    return problem.kind === 'late'
      ? t(
          'Your handler hangs, or does its work before it responds. The service counts a timeout as a failure and tries again.',
        )
      : missingCause(problem.error, addressOf(request));
  }
  const status = answer?.status ?? 0;
  if (status < 300) return isToBeRefused ? accepted(kind) : undefined;
  if (status < 400)
    return t('The service counts a redirect as a failure and tries again. Use the address it leads to.');
  const reason = answer?.isText === true ? failureReason({ answer: answer.body }) : undefined;
  if (status >= 500) {
    const failed =
      reason === undefined ? t('Your handler failed.') : t('Your handler failed: "{0}".', reason);
    return sentences(failed, afterFailure(kind, isToBeRefused));
  }
  const why =
    status === 404
      ? t(
          'There is nothing at {0}, or your handler rejects with 404. The service tries again after a 404.',
          shownText(addressOf(request).pathname),
        )
      : refused(kind, status, isSigned);
  return sentences(why, reason && t('Your handler responded: "{0}".', reason)) || undefined;
}

/** @param request `POST http://localhost:3000/hook` */
function addressOf(request: string): URL {
  return new URL(request.replace(/^\S+ /, ''));
}

/** What to do where the handler fails. That it fails on any delivery, the other fixtures tell. */
function afterFailure(kind: VariantName, isToBeRefused: boolean): string {
  if (kind === 'concurrent') {
    return t(
      'If it fails only where two deliveries arrive at once, check and record the request id in one step, and return 2xx for both.',
    );
  }
  return isToBeRefused
    ? t('Verify the delivery before you read its body, and return 4xx if it does not verify.')
    : t('The service does not try again after a 5xx, so such a delivery is lost.');
}

/** What to do where no answer came. @param error code or message of Node's error */
function missingCause(error: string, { host, href }: URL): string | undefined {
  switch (error) {
    case 'ECONNREFUSED':
      return sentences(t('Nothing listens on {0}.', host), t('Start your handler, or set another address.'));
    case 'ERR_ENDED':
      return t('See what it wrote, and start it again.');
    case 'ECONNRESET':
    case 'EPIPE':
      return t('It may have crashed: see what it wrote.');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return t('Compare its address: {0}', href);
    default:
      return undefined;
  }
}

/** The likely cause if the handler accepted a delivery that it had to refuse. */
function accepted(kind: VariantName): string | undefined {
  switch (kind) {
    case 'bad-signature':
      return t(
        'Your handler accepted a delivery with a wrong signature: it may not check the signature at all. "Insert Verification Code…" writes the check.',
      );
    case 'body-changed':
      return t(
        'Your handler accepted a delivery whose body was changed after it was signed: verify the raw body, before it is parsed.',
      );
    case 'stale':
      return t(
        'Your handler accepted a delivery that was signed an hour ago: compare its timestamp with the current time.',
      );
    case 'missing-header':
      return t(
        'Your handler accepted a delivery without a timestamp, which is part of what is signed: reject it.',
      );
    default:
      return undefined;
  }
}

/** The likely cause if the handler refused a delivery that it had to accept. */
function refused(kind: VariantName, status: number, isSigned: boolean): string | undefined {
  if (kind === 'repeat') {
    return t(
      'Your handler rejected a repeat. Return 2xx for what you already have: the service may send it again.',
    );
  }
  const isUnverified = [400, 401, 403].includes(status);
  if (kind === 'concurrent' && !isUnverified) {
    return t(
      'Your handler rejected one of two deliveries that arrived at once. Let it wait until the other is done, and return 2xx for both.',
    );
  }
  if (kind === 'out-of-order') {
    return t(
      'Your handler rejected a delivery because a newer one came first: deliveries that are sent again arrive late.',
    );
  }
  if (kind !== 'as it is' && kind !== 'concurrent') return undefined;
  if (status === 405) return t('Your handler does not accept this method: the service sends POST.');
  if (status === 413) return t('Your handler accepts only smaller bodies than this.');
  if (!isUnverified) return undefined;
  return isSigned
    ? t(
        'Your handler rejected a genuine delivery. It may verify a re-serialised body: use the raw bytes. Or it has a different secret.',
      )
    : t('The delivery was sent without a signature: set the secret that your handler has.');
}

/** The likely cause if the app's state afterwards is not as expected. */
export function causeAfterwards(kind: VariantName): string | undefined {
  switch (kind) {
    case 'repeat':
      return t(
        'Your handler processed the repeat a second time: remember the request ids you have processed, and return 2xx for them.',
      );
    case 'concurrent':
      return t(
        'Your handler processed both deliveries that arrived at once: check and record the request id in one step, with no await and no query in between.',
      );
    case 'as it is':
    case 'out-of-order':
      return undefined;
    default:
      return t(
        'Your handler rejected the delivery, but acted on it all the same: verify before anything else.',
      );
  }
}
