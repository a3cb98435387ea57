import { SecretMask } from '../../shared/masking/secretMask.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  type Answered,
  type OutgoingRequest,
  keptBytes,
  networkReason,
  sendRequest,
  textOf,
} from '../../deliveries/sendRequest.ts';
import { shortMissingAnswerText } from '../../deliveries/forwardText.ts';
import { headersOf } from '../../service/signature/signature.ts';

/** An app's answer. */
export interface HandlerAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The start of the body, up to 64 KB; empty if it is not text. */
  body: string;
  isText: boolean;
  /** `whole`: complete, or longer than what is kept. `late`: it had not ended in time. */
  ending: 'whole' | 'late' | 'brokenOff';
}

/** One request to the app and its result. */
export interface Exchange {
  /** Such as `POST http://127.0.0.1:3000/hook`. */
  request: string;
  /** The time limit for the answer. */
  withinMs: number;
  durationMs: number;
  answer?: HandlerAnswer;
  /** Why there is no answer: the time was up, or the connection failed, with the code or message of Node's error. */
  problem?: { kind: 'late' } | { kind: 'failed'; error: string };
}

interface ExchangeOptions {
  /** Aborts the request. */
  signal: AbortSignal;
  /** Masked in the answer: an app may answer with the secret that it holds. */
  secret?: string;
  /** Whether any certificate counts where the connection stays on this machine. */
  acceptLocalCertificates?: boolean;
}

/**
 * Sends a request to the app, for `withinMs` at most. No redirect is followed.
 * @throws the signal's reason if it is aborted
 */
export async function exchange(
  request: Omit<OutgoingRequest, 'signal' | 'isStartOnly' | 'acceptLocalCertificates'>,
  withinMs: number,
  { signal, secret, acceptLocalCertificates = false }: ExchangeOptions,
): Promise<Exchange> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(withinMs);
  const started = performance.now();
  const said = { request: `${request.method} ${request.url.href}`, withinMs };
  const durationMs = (): number => Math.round(performance.now() - started);
  try {
    // A new connection, since the app may have closed one that an earlier request used.
    const sent = await sendRequest({
      ...request,
      isStartOnly: true,
      acceptLocalCertificates,
      signal: AbortSignal.any([signal, limit]),
    });
    signal.throwIfAborted();
    const mask = new SecretMask(secret === undefined ? [] : [secret]);
    const { status, rawHeaders, body, bytes } = sent;
    const text = textOf(body, rawHeaders);
    const answer: HandlerAnswer = {
      status,
      headers: mask.headers(headersOf(rawHeaders)),
      body: bytes === body.length ? mask.text(text) : mask.start(text),
      isText: text !== '' || body.length === 0,
      ending: endingOf(sent, limit.aborted),
    };
    return { ...said, durationMs: durationMs(), answer };
  } catch (error) {
    signal.throwIfAborted();
    const problem: Exchange['problem'] = limit.aborted
      ? { kind: 'late' }
      : { kind: 'failed', error: networkReason(error) };
    return { ...said, durationMs: durationMs(), problem };
  }
}

function endingOf({ body, bytes }: Answered, isLate: boolean): HandlerAnswer['ending'] {
  if (bytes !== undefined || body.length >= keptBytes) return 'whole';
  return isLate ? 'late' : 'brokenOff';
}

/** That there is no answer, and why. */
export function noAnswerText({ problem, withinMs }: Exchange): string {
  return problem?.kind === 'failed'
    ? t('no response: {0}', shortMissingAnswerText(problem.error))
    : t('no response within {0}', durationText(withinMs));
}

/** How much of an answer is shown, in characters. */
const shown = 4096;

/** A request and the app's answer as lines. The caller has to remove control characters when it prints them. */
export function exchangeLines(done: Exchange): string[] {
  const { request, durationMs, answer } = done;
  if (answer === undefined) return [`  ${request}`, `  → ${noAnswerText(done)}`];
  const { status, headers, body } = answer;
  const text = body.length > shown ? `${body.slice(0, shown)}…` : body;
  return [
    `  ${request}`,
    `  → ${status} (${durationText(durationMs)})`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(text === '' ? [] : text.split(/\r\n|\r|\n/).map((line) => `    ${line}`)),
  ];
}
