import type { IncomingMessage } from 'node:http';
import type { BrokenOff, Refused } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { runIdOf } from '../../webhooks/deliveries/runIdOf.ts';
import { headerOf } from '../../webhooks/signature/signature.ts';
import type { CutBody } from './incomingBody.ts';

/** How many characters of what a stranger wrote are shown. */
const mostShown = 100;

/** How a request is refused. */
export type Refusal = Pick<Refused, 'status' | 'reason'>;

/** What came on a connection and was no request that could be read. */
export type TurnedAway = Omit<Refused, 'at'> | Omit<BrokenOff, 'at'>;

/** What a request expects: `100 Continue` before it sends its body, or what nobody knows. */
export type Expects = 'nothing' | 'continue' | 'unknown';

/** Why a request is refused by its head alone; undefined if it is not. */
export function refusedByHead(
  { rawHeaders, method, httpVersion }: IncomingMessage,
  expects: Expects,
): Refusal | undefined {
  // guard S1: A request with an `Origin` header comes from a web page and gets 403.
  if (headerOf(rawHeaders, 'origin') !== undefined) {
    return { status: 403, reason: t('it comes from a web page') };
  }
  // guard S2: The listener answers only POST.
  if (method !== 'POST') return { status: 405, reason: t('only POST is a delivery') };
  if (httpVersion === '1.1' && headerOf(rawHeaders, 'host') === undefined) {
    return { status: 400, reason: t('it has no Host header') };
  }
  if (expects !== 'unknown') return undefined;
  const expected = plainText(headerOf(rawHeaders, 'expect') ?? '', mostShown);
  return { status: 417, reason: t('it expects {0}, which is unknown', expected) };
}

/** How Node ended a connection. @param code that of its error */
export function brokenBy(code = ''): 'parser' | 'time' | 'network' {
  if (code.startsWith('HPE_')) return 'parser';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'time' : 'network';
}

/** How what Node's parser cannot read is refused. @param code that of its error */
export function refusedByParser(code = ''): Refusal & { method: string } {
  return code === 'HPE_HEADER_OVERFLOW'
    ? { status: 431, method: '', reason: t('its head is too large') }
    : { status: 400, method: '', reason: t('it is no valid HTTP ({0})', code) };
}

/** The report of a request whose body was cut off. @param announced the Content-Length; 0 if there was none */
export function brokenOffOf(
  { length, beginning, wasLate }: CutBody,
  announced: number,
): Omit<BrokenOff, 'at'> {
  const runId = runIdOf(beginning);
  return {
    bytes: length,
    ...(announced > 0 && { announced }),
    ...(wasLate && { wasLate }),
    ...(runId !== undefined && { runId }),
  };
}
