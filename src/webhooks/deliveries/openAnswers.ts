import type { IncomingMessage } from 'node:http';

/** How many answers may stay open. */
const mostOpen = 32;

/**
 * Answers that are read on though nobody waits for them: an app may still work while it streams one, and would be
 * cut off with its connection. Beyond a number of them the oldest is closed, since some are never ended.
 */
export class OpenAnswers {
  readonly #open = new Set<IncomingMessage>();

  add(answer: IncomingMessage): void {
    this.#open.add(answer);
    answer.once('close', () => this.#open.delete(answer));
    const [oldest] = this.#open;
    if (this.#open.size > mostOpen) oldest?.destroy();
  }
}
