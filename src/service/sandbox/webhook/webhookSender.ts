import { randomUUID } from 'node:crypto';
import {
  type AttemptOutcome,
  type WebhookAttempt,
  attemptLine,
  judgeAttempt,
  maxAttempts,
  retryDelayMs,
} from '../../webhookAttempt.ts';
import type { SandboxFault } from '../sandboxFault.ts';
import { sign } from '../../signature/signature.ts';
import { type Clock, delay } from '../../../shared/async/clock.ts';
import { connectionFailure } from '../../../shared/http/failureReason.ts';
import { UserError } from '../../../shared/text/userError.ts';
import {
  type WebhookRequest,
  postWebhook,
  signatureHeader,
  signingTime,
  spoiledBody,
} from './postWebhook.ts';
import { maxWebhookBytes, type WebhookBody } from './webhookBody.ts';
import type { WebhookParameters } from './webhookParameters.ts';

/** A webhook to be sent. Without a secret it is not signed. */
export interface Webhook extends WebhookBody, WebhookParameters {
  runId: string;
  appName: string;
  /** Its `X-Request-Id`; made up if absent. */
  requestId?: string;
  faults: ReadonlySet<SandboxFault>;
}

export interface WebhookSenderOptions {
  clock: Clock;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  log: (line: string) => void;
  /** Who sends it: `Runhook-Sandbox` if absent. */
  userAgent?: string;
  /** Stands in the names of its headers: `Service` if absent. */
  vendor?: string | undefined;
  /** Called after each attempt to deliver a webhook. */
  onAttempt?: (attempt: WebhookAttempt) => void;
}

/** The timeout of one attempt. The interface document states none. */
const attemptTimeoutMs = 30_000;

const holdMs = 5000;

/**
 * Sends webhooks as service-interface.md, section 6, specifies. They are sent independently: one that hangs blocks
 * neither a run nor another webhook.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #stopped = new AbortController();
  /** Releases the webhook that is held back until a later one was sent; undefined if none is held. */
  #release: (() => void) | undefined;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /** Sends a webhook, with retries. Never rejects: a final failure is only logged. */
  async send(webhook: Webhook): Promise<void> {
    const release = this.#release;
    const { runId, cutFrom } = webhook;
    if (cutFrom !== undefined) {
      const most = `${maxWebhookBytes / 1024 / 1024} MiB`;
      this.#options.log(
        `Webhook of run ${runId}: it holds only the beginning of the app's response (${cutFrom} bytes), since a webhook is no longer than ${most}.`,
      );
    }
    try {
      if (release === undefined && webhook.faults.has('out-of-order')) await this.#hold();
      const { requestId = randomUUID() } = webhook;
      const delivered = await this.#deliver(webhook, requestId);
      if (delivered && webhook.faults.has('repeat')) await this.#deliver(webhook, requestId);
    } catch (error) {
      if (!this.#stopped.signal.aborted)
        this.#options.log(`Webhook of run ${webhook.runId}: ${String(error)}`);
    } finally {
      release?.();
    }
  }

  /** Cancels all pending webhooks. */
  stop(): void {
    this.#stopped.abort();
  }

  async #deliver(webhook: Webhook, requestId: string): Promise<boolean> {
    const { clock, random, log, onAttempt } = this.#options;
    const { runId, appName, cutFrom, faults } = webhook;
    const to = addressOf(webhook);
    for (let number = 1; ; number += 1) {
      const startedAt = clock.now();
      const outcome = await this.#attempt(webhook, requestId);
      const verdict = judgeAttempt(outcome);
      const retries = verdict === 'retry' && number < maxAttempts;
      const nextInMs = retries ? retryDelayMs(number, random()) : undefined;
      const attempt: WebhookAttempt = {
        ...{ runId, appName, to, ...(cutFrom !== undefined && { cutFrom }) },
        ...{ requestId, number, at: new Date(startedAt).toISOString(), durationMs: clock.now() - startedAt },
        ...(outcome.kind === 'response' ? { status: outcome.status } : { error: outcome.reason }),
        outcome: verdict === 'delivered' || retries ? verdict : 'givenUp',
        ...(nextInMs !== undefined && { nextInMs }),
        ...(faults.size > 0 && { faults: [...faults] }),
      };
      log(attemptLine(attempt));
      onAttempt?.(attempt);
      if (nextInMs === undefined) {
        if (verdict === 'delivered') return true;
        const attempts = number === 1 ? '1 attempt' : `${number} attempts`;
        log(`Webhook of run ${runId} to ${to} failed after ${attempts}: ${outcomeText(outcome)}.`);
        return false;
      }
      await delay(clock, nextInMs, this.#stopped.signal);
    }
  }

  async #attempt(webhook: Webhook, requestId: string): Promise<AttemptOutcome> {
    const over = new AbortController();
    const cancel = this.#options.clock.after(attemptTimeoutMs, () => {
      over.abort(new UserError(`no response within ${attemptTimeoutMs / 1000} s`));
    });
    const signal = AbortSignal.any([over.signal, this.#stopped.signal]);
    try {
      return {
        kind: 'response',
        status: await postWebhook(this.#request(webhook, requestId, signal), signal),
      };
    } catch (error) {
      this.#stopped.signal.throwIfAborted();
      const cause: unknown = over.signal.aborted ? over.signal.reason : error;
      return { kind: 'networkError', reason: connectionFailure(cause) };
    } finally {
      cancel();
    }
  }

  #request(
    { endpoint, body, secret, faults }: Webhook,
    requestId: string,
    signal: AbortSignal,
  ): WebhookRequest {
    const { clock, userAgent = 'Runhook-Sandbox', vendor = 'Service' } = this.#options;
    const timestamp = signingTime(clock.now(), faults).toString();
    const signature = secret === undefined ? undefined : sign(secret, requestId, timestamp, body);
    return {
      endpoint,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': userAgent,
        'X-Request-Id': requestId,
        ...(!faults.has('missing-header') && { [`X-${vendor}-Webhook-Timestamp`]: timestamp }),
        ...(signature !== undefined && {
          [`X-${vendor}-Webhook-Signature`]: signatureHeader(signature, faults),
        }),
      },
      ...spoiledBody(body, faults, clock, signal),
    };
  }

  async #hold(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#release = () => resolve(undefined);
    const tooLong = delay(this.#options.clock, holdMs, this.#stopped.signal);
    await Promise.race([promise, tooLong]).finally(() => {
      this.#release = undefined;
    });
  }
}

/** The address without its query, which may contain a secret. */
function addressOf({ endpoint }: Webhook): string {
  const { origin, pathname } = endpoint;
  // guard S26: No attempt contains a query, a secret or a token.
  return `${origin}${pathname}`;
}

function outcomeText(outcome: AttemptOutcome): string {
  return outcome.kind === 'response' ? `it returned ${outcome.status}` : outcome.reason;
}
