import type { WebhookAttempt } from '../../model/service/webhookAttempt.ts';

/** The last attempts to deliver a webhook, in memory. */
export class AttemptLog {
  readonly #most: number;
  readonly #attempts: WebhookAttempt[] = [];

  /** @param most how many are kept */
  constructor(most = 1000) {
    this.#most = most;
  }

  add(attempt: WebhookAttempt): void {
    this.#attempts.push(attempt);
    if (this.#attempts.length > this.#most) this.#attempts.shift();
  }

  /** The oldest first. @param runId those of one run */
  list(runId?: string): WebhookAttempt[] {
    return this.#attempts.filter((attempt) => runId === undefined || attempt.runId === runId);
  }

  clear(): void {
    this.#attempts.length = 0;
  }
}
