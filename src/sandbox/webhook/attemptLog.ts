import type { WebhookAttempt } from '../../model/service/webhookAttempt.ts';

/** The last attempts to deliver a webhook, in memory. */
export class AttemptLog {
  readonly #most: number;
  #attempts: WebhookAttempt[] = [];

  /** @param most how many are kept */
  constructor(most = 1000) {
    this.#most = most;
  }

  add(attempt: WebhookAttempt): void {
    this.#attempts.push(attempt);
    // Not at each one: to take the first away moves all the others.
    if (this.#attempts.length >= 2 * this.#most) this.#attempts = this.#attempts.slice(-this.#most);
  }

  /** The oldest first. @param runId those of one run */
  list(runId?: string): WebhookAttempt[] {
    const kept = this.#attempts.slice(-this.#most);
    return runId === undefined ? kept : kept.filter((attempt) => attempt.runId === runId);
  }

  clear(): void {
    this.#attempts = [];
  }
}
