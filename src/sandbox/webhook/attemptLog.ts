import type { WebhookAttempt } from '../../model/service/webhookAttempt.ts';

/** The latest attempts to deliver webhooks, in memory. */
export class AttemptLog {
  readonly #most: number;
  readonly #attempts: WebhookAttempt[] = [];

  /** @param most how many attempts are kept */
  constructor(most = 1000) {
    this.#most = most;
  }

  add(attempt: WebhookAttempt): void {
    this.#attempts.push(attempt);
    if (this.#attempts.length > this.#most) this.#attempts.shift();
  }

  /** Lists the attempts, oldest first. @param runId returns only those of this run */
  list(runId?: string): WebhookAttempt[] {
    return this.#attempts.filter((attempt) => runId === undefined || attempt.runId === runId);
  }

  clear(): void {
    this.#attempts.length = 0;
  }
}
