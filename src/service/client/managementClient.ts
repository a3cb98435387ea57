import { setTimeout as wait } from 'node:timers/promises';
import type { AppSettings } from '../settings/appSettings.ts';
import { type Service, appUrl, keysUrl } from '../endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence, sentences } from '../../shared/text/sentences.ts';
import { errorText, maxAnswerBytes, parseBody, readErrorText, readText } from './answer.ts';
import { deniesAccess, pageText } from '../errorMessage.ts';
import { EncodingError } from '../encoding/decoders.ts';
import { redirectText } from './redirect.ts';
import { retryAfterMs } from './retryAfter.ts';
import {
  MaybeAppliedError,
  mayBeAppliedText,
  serviceAnswered,
  ServiceError,
  UnreachableError,
} from './errors.ts';
import { TooLongError } from './boundedBody.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import type { Transport } from './transport.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';

export interface ManagementClientOptions {
  transport: Transport;
  service: Service;
  /** Sent as the bearer of every request (service-interface.md, section 5). */
  token: string;
  userAgent: string;
  /** How long one try may take, in milliseconds; if absent, the transport's own limit applies. */
  timeoutMs?: number;
  retry?: Partial<typeof retryParts>;
}

/**
 * The management API (service-interface.md, sections 4.1 and 4.2). Its calls reject with a ServiceError for a status
 * that is not a success, an UnreachableError if there is no answer, and the reason of the signal if cancelled.
 */
export class ManagementClient {
  readonly #options: ManagementClientOptions;
  readonly #retry: typeof retryParts;
  readonly #mask: SecretMask;

  constructor(options: ManagementClientOptions) {
    this.#options = options;
    this.#mask = new SecretMask([options.token]);
    this.#retry = { ...retryParts, ...options.retry };
  }

  /**
   * The keys of a service account, as the service sent them: the shape is not documented (section 4.1), so
   * `service/keys` reads it. Tried up to three times.
   */
  async listKeys(projectId: string, serviceAccountId: string, signal?: AbortSignal): Promise<unknown> {
    const url = keysUrl(this.#options.service.baseUrl, projectId, serviceAccountId);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#send('GET', url, undefined, signal);
      } catch (error) {
        const delay = waitBeforeRetry(error, attempt, this.#retry.random());
        signal?.throwIfAborted();
        if (delay === undefined) throw error;
        await this.#retry.wait(delay, signal).catch((stopped: unknown) => {
          signal?.throwIfAborted();
          throw stopped;
        });
      }
    }
  }

  /**
   * Modifies an app (section 4.2) with exactly the settings given. Sent once, never repeated: nobody knows
   * whether a PATCH without an answer took effect.
   * @returns the body of the answer, whose shape is not documented; undefined if it is empty
   * @throws MaybeAppliedError if the service may have got the change, but its answer cannot be read
   */
  async modifyApp(
    projectId: string,
    appId: string,
    settings: AppSettings,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const url = appUrl(this.#options.service.baseUrl, projectId, appId);
    return this.#send('PATCH', url, JSON.stringify(settings), signal);
  }

  async #send(method: string, url: URL, body: string | undefined, signal?: AbortSignal): Promise<unknown> {
    const { transport, token, userAgent, timeoutMs } = this.#options;
    const sent = transport({
      method,
      url,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'user-agent': userAgent,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal && { signal }),
    });
    const response = await (method === 'GET' ? sent : sent.catch(changeUnanswered));
    const isTaken = isSuccess(response.status);
    const read = isTaken ? readText(response, this.#tooLong(method)) : readErrorText(response);
    // A service that echoes the token must not bring it into a tree, a document or a message.
    // guard S117: What a service or an app echoes of its own call is masked.
    const text = this.#mask.text(await (isTaken && method !== 'GET' ? read.catch(changeUnknown) : read));
    if (!isTaken) throw this.#refusal(method, url, response.status, response.headers, text);
    const value = parseBody(text);
    const isJson = typeof value !== 'string' || /^\s*[[{"]/.test(text);
    if (!isJson && method === 'GET') throw noJson(response.status, text);
    if (!isJson && pageText(text) !== undefined) throw pageAfterChange(text);
    return value;
  }

  #tooLong(method: string): string {
    const mebibytes = maxAnswerBytes / 1024 / 1024;
    return method === 'GET'
      ? t(
          'The list of keys is larger than {0} MiB, so it was not read. Delete unused keys at the service, then list them again.',
          mebibytes,
        )
      : t(
          'The service accepted the change, but its response is larger than {0} MiB and was not read. The change may have been applied: apply it again to be sure.',
          mebibytes,
        );
  }

  #refusal(method: string, url: URL, status: number, headers: Record<string, string>, text: string): Error {
    const redirected = redirectText(url, status, headers['location']);
    if (redirected !== undefined) {
      const short = t('{0}: redirected', status);
      const remedies = [{ kind: 'setAddress' }] as const;
      return new ServiceError(this.#mask.text(redirected), status, { short, remedies });
    }
    const said = errorText(text) || t('it gave no reason');
    const now = this.#retry.now();
    const ms = retryAfterMs(headers['retry-after'], now);
    const wait = ms === undefined ? undefined : { ms, until: now + ms };
    const ofUnknown =
      method === 'PATCH'
        ? t('Check the ids of the project and the app.')
        : t('Check the ids of the project and the service account.');
    const hint = status === 404 ? ofUnknown : undefined;
    const isForbidden = status === 403 && deniesAccess(said);
    const next = isForbidden ? t('Check whether the token is allowed to do this.') : hint;
    return serviceAnswered(status, said, wait, text, next);
  }
}

/** For a list that is none. */
function noJson(status: number, text: string): ServiceError {
  if (pageText(text) !== undefined) {
    const short = t('{0}: web page', status);
    return new ServiceError(pageInstead(text), status, {
      body: text,
      short,
      remedies: [{ kind: 'setAddress' }],
    });
  }
  const message = t('The service returned {0}, but no JSON: {1}', status, errorText(text));
  return new ServiceError(message, status, { body: text, short: t('{0}: no JSON', status) });
}

/** For a change: the response to it is not documented, but it is no page for people. */
function pageAfterChange(text: string): MaybeAppliedError {
  const unsure = t('The change may not have been applied: apply it again to be sure.');
  return new MaybeAppliedError(sentences(pageInstead(text), unsure));
}

function pageInstead(text: string): string {
  return sentences(
    sentence(t('The service returned a web page: {0}', errorText(text))),
    t('A proxy may be asking you to sign in, or the address is not that of the service.'),
  );
}

/** For a change that may have reached the service, without a response to it. */
function changeUnanswered(error: unknown): never {
  if (!(error instanceof UnreachableError) || !error.wasSent) throw error;
  throw new MaybeAppliedError(sentences(error.message, mayBeAppliedText()), error);
}

/** For a change that the service accepted, but whose answer cannot be read whole: it may have been applied. */
function changeUnknown(error: unknown): never {
  if (error instanceof TooLongError || error instanceof EncodingError)
    throw new MaybeAppliedError(error.message, error);
  if (!(error instanceof UnreachableError)) throw error;
  throw new MaybeAppliedError(
    t(
      'The service accepted the change, but its response was cut off. The change may have been applied: apply it again to be sure.',
    ),
    error,
  );
}

/** How often a GET is sent at most. */
const maxTries = 3;

/** A service that asks for a longer wait gets no further try: the user is told instead. */
const longestRetryAfterMs = 3000;

/** What retrying needs from its environment; tests replace it. */
export const retryParts = {
  random: Math.random,
  now: Date.now,
  /** Rejects if the signal is aborted during the wait. */
  wait: (ms: number, signal?: AbortSignal): Promise<void> => wait(ms, undefined, signal ? { signal } : {}),
};

/**
 * How long to wait, in milliseconds, before a failed GET is retried; undefined if it is not retried.
 * @param attempt the number of the try that failed, from 1
 */
function waitBeforeRetry(error: unknown, attempt: number, random: number): number | undefined {
  if (attempt >= maxTries) return undefined;
  const backOff = Math.round(500 * 2 ** (attempt - 1) * (0.5 + random / 2));
  // Who has waited until the time was up waits no second time unasked.
  if (error instanceof UnreachableError) return error.passing && !error.isTimeout ? backOff : undefined;
  if (!(error instanceof ServiceError) || (error.status !== 429 && error.status < 500)) return undefined;
  if (error.wait === undefined) return backOff;
  return error.wait.ms <= longestRetryAfterMs ? error.wait.ms : undefined;
}
