import type { Attempt, Delivery } from '../contract/delivery.ts';
import { headerPairs } from '../shared/http/endToEndHeaders.ts';
import { responseText, statusText } from '../shared/http/responseText.ts';
import { pageText } from '../service/errorMessage.ts';
import { attemptKindText, handlerText } from './outcomeText.ts';
import { prettyJson } from '../shared/json/jsonText.ts';
import { isCredentialHeader, masked } from '../shared/masking/likelySecrets.ts';
import type { AppAnswer } from './listenerProtocol.ts';
import { bytesText } from '../shared/text/bytesText.ts';
import { clockTime, durationText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { comparedHeaders } from './comparedBody.ts';
import { bodyOf } from './deliveryBody.ts';
import { attemptStart, isCancelled } from './keptDelivery.ts';
import { withoutSecrets } from './deliveryDocument.ts';
import { markedStatus } from './refusal.ts';
import { keptBytes } from './sendRequest.ts';

/**
 * The response of the local app to an attempt as readable text: how it went, the body, and the headers. A JSON body is
 * laid out. Credentials in headers and the held secrets are masked.
 * @param reasons why it most likely failed
 * @param kept the stored response; undefined if only the start in the attempt itself is kept
 */
export function answerDocument(
  { method, appName }: Pick<Delivery, 'method' | 'appName'>,
  attempt: Attempt,
  kept: AppAnswer | undefined,
  secrets: readonly string[],
  reasons: readonly string[] = [],
): string {
  const { to, status, durationMs } = attempt;
  const { notes, body } = kept === undefined ? startOf(attempt) : bodyParts(kept);
  const size = kept?.bytes === undefined ? [] : [bytesText(kept.bytes)];
  const outcome =
    status === undefined
      ? missingText(attempt)
      : `${markedStatus(attempt, statusText(status))} · ${t('your handler')}`;
  const of = appName === undefined ? [] : [plainText(appName)];
  const page = status !== undefined && status >= 400 ? pageText(body) : undefined;
  const text = responseText({
    outcome: [outcome, ...of, ...size, durationText(durationMs)].join(' · '),
    notes: [...reasons, ...notes],
    body: page ?? body,
    html: page && body,
    headers: kept && shownHeaders(kept.rawHeaders),
    request: [
      `${method} ${to}`,
      `${clockTime(new Date(attemptStart(attempt)))} · ${attemptKindText(attempt.kind)}`,
    ],
  });
  return withoutSecrets(text, secrets);
}

function shownHeaders(rawHeaders: readonly string[]): [name: string, value: string][] {
  return headerPairs(rawHeaders).map(([name, value]) => [name, isCredentialHeader(name) ? masked : value]);
}

/** The response to an attempt, to be compared with another one: without times, and with headers in one order. */
export function comparedAnswer(
  { method }: Pick<Delivery, 'method'>,
  attempt: Attempt,
  kept: AppAnswer | undefined,
  secrets: readonly string[],
): string {
  const { status, to } = attempt;
  const text = responseText({
    outcome: status === undefined ? missingText(attempt) : statusText(status),
    ...(kept === undefined ? startOf(attempt) : bodyParts(kept)),
    headers: kept && comparedHeaders(shownHeaders(kept.rawHeaders)),
    request: [`${method} ${to}`],
  });
  return withoutSecrets(text, secrets);
}

/** What is shown of a body, and what is not. */
interface BodyParts {
  notes: string[];
  body: string;
}

/** A note on the body (binary, cut off, empty), and as much of the body as can be shown. */
function bodyParts({ body, bodyEncoding, bytes }: AppAnswer): BodyParts {
  const here = bodyOf({ body, ...(bodyEncoding && { bodyEncoding }) }).length;
  if (bodyEncoding !== undefined) return { notes: [t('Binary, {0}', bytesText(bytes ?? here))], body: '' };
  // What is compressed is decoded no further than that.
  if (bytes === undefined && here >= keptBytes)
    return { notes: [t('The first {0}.', bytesText(here))], body };
  if (bytes === undefined)
    return { notes: [t('The first {0}. It did not end in time.', bytesText(here))], body };
  if (here === 0) return { notes: [t('No body.')], body: '' };
  return bytes > keptBytes
    ? { notes: [t('The first {0} of {1}', bytesText(here), bytesText(bytes))], body }
    : { notes: [], body: prettyJson(body) ?? body };
}

/** For attempts from before answers were kept whole, or made when the disk was full: the start of the answer. */
function startOf({ status, answer }: Attempt): BodyParts {
  if (status === undefined) return { notes: [], body: '' };
  return answer === undefined
    ? { notes: [t('Headers and body were not kept.')], body: '' }
    : { notes: [t('Only the beginning was kept.')], body: answer };
}

/** Why there is no response. A replay that was cancelled is nobody's fault. */
function missingText(attempt: Attempt): string {
  return isCancelled(attempt) ? handlerText(attempt) : `⚠ ${handlerText(attempt)}`;
}
