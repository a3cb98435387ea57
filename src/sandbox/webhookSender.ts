import { randomUUID } from 'node:crypto';
import { type AttemptOutcome, judgeAttempt, maxAttempts, retryDelayMs } from '../model/retryPolicy.ts';
import type { SandboxFault } from '../model/sandboxFault.ts';
import { sign } from '../webhooks/signature.ts';
import { type Clock, delay } from '../model/clock.ts';
import { parts, postWebhook, type WebhookRequest } from './postWebhook.ts';

/** A webhook to be sent. */
export interface Webhook {
  runId: string;
  endpoint: URL;
  /** What the proxy returned for the call, as JSON. */
  body: Uint8Array;
  /** The `X-Webhook-Secret` of the call; without one the webhook is not signed. */
  secret?: string | undefined;
  faults: ReadonlySet<SandboxFault>;
}

export interface WebhookSenderOptions {
  clock: Clock;
  /** From 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  /** The document states none. */
  attemptTimeoutMs: number;
  log: (line: string) => void;
}

const slowMs = 5000;
const holdMs = 5000;
const staleSeconds = 3600;

/**
 * Sends webhooks as service-interface.md, section 6, states it. Each is on its own way: one that hangs
 * holds up neither a run nor another webhook.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #stopped = new AbortController();
  /** The webhook that waits until a later one was sent: aborted, it waits no longer. */
  #held: AbortController | undefined;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /** Sends a webhook, with its repetitions. Never rejects: what fails for good is only logged. */
  async send(webhook: Webhook): Promise<void> {
    const overtaken = this.#held;
    try {
      if (overtaken === undefined && webhook.faults.has('out-of-order')) await this.#hold();
      const requestId = randomUUID();
      const delivered = await this.#deliver(webhook, requestId);
      if (delivered && webhook.faults.has('repeat')) await this.#deliver(webhook, requestId);
    } catch (error) {
      if (!this.#stopped.signal.aborted)
        this.#options.log(`Webhook of run ${webhook.runId}: ${String(error)}`);
    } finally {
      overtaken?.abort();
    }
  }

  /** Gives up all that are on their way. */
  stop(): void {
    this.#stopped.abort();
  }

  async #deliver(webhook: Webhook, requestId: string): Promise<boolean> {
    const { clock, random, log } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(webhook, requestId);
      const verdict = judgeAttempt(outcome);
      if (verdict === 'delivered') return true;
      if (verdict === 'permanentFailure' || attempt === maxAttempts) {
        const { origin, pathname } = webhook.endpoint;
        const attempts = attempt === 1 ? '1 attempt' : `${attempt} attempts`;
        log(
          `Webhook of run ${webhook.runId} to ${origin}${pathname} failed after ${attempts}: ${wording(outcome)}.`,
        );
        return false;
      }
      await delay(clock, retryDelayMs(attempt, random()), this.#stopped.signal);
    }
  }

  async #attempt(webhook: Webhook, requestId: string): Promise<AttemptOutcome> {
    const { clock, attemptTimeoutMs } = this.#options;
    const over = new AbortController();
    const cancel = clock.after(attemptTimeoutMs, () => {
      over.abort(new Error(`no answer within ${attemptTimeoutMs / 1000} s`));
    });
    const signal = AbortSignal.any([over.signal, this.#stopped.signal]);
    try {
      return {
        kind: 'response',
        status: await postWebhook(this.#request(webhook, requestId, signal), signal),
      };
    } catch (error) {
      this.#stopped.signal.throwIfAborted();
      const cause = over.signal.aborted ? (over.signal.reason as Error) : error;
      return { kind: 'networkError', reason: cause instanceof Error ? cause.message : String(cause) };
    } finally {
      cancel();
    }
  }

  #request(
    { endpoint, body, secret, faults }: Webhook,
    requestId: string,
    signal: AbortSignal,
  ): WebhookRequest {
    const { clock } = this.#options;
    const sentAt = Math.floor(clock.now() / 1000) - (faults.has('stale-timestamp') ? staleSeconds : 0);
    const timestamp = sentAt.toString();
    const signature = secret === undefined ? undefined : sign(secret, requestId, timestamp, body);
    return {
      endpoint,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Runhook-Sandbox',
        'X-Request-Id': requestId,
        ...(!faults.has('missing-header') && { 'X-Service-Webhook-Timestamp': timestamp }),
        ...(signature !== undefined && {
          'X-Service-Webhook-Signature': `v1,${faults.has('bad-signature') ? spoilDigit(signature) : signature}`,
        }),
      },
      body: faults.has('body-changed') ? spoilByte(body) : body,
      pace: faults.has('hang')
        ? { kind: 'half' }
        : faults.has('slow')
          ? { kind: 'parts', pause: () => delay(clock, slowMs / parts, signal) }
          : { kind: 'atOnce' },
    };
  }

  async #hold(): Promise<void> {
    const held = new AbortController();
    this.#held = held;
    const { signal } = this.#stopped;
    try {
      await delay(this.#options.clock, holdMs, AbortSignal.any([held.signal, signal]));
    } catch {
      signal.throwIfAborted();
    } finally {
      this.#held = undefined;
    }
  }
}

function wording(outcome: AttemptOutcome): string {
  return outcome.kind === 'response' ? `it was answered ${outcome.status}` : outcome.reason;
}

function spoilDigit(signature: string): string {
  return `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
}

/** Changes white space or a digit into another where it can, so that the body stays JSON. */
function spoilByte(body: Uint8Array): Uint8Array {
  const spoiled = Buffer.from(body);
  const at = spoiled.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  const place = Math.max(at, 0);
  spoiled[place] = (spoiled[place] ?? 0) ^ 1;
  return spoiled;
}
