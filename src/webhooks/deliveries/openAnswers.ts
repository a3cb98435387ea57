/** A request or the answer to it. */
interface Open {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/**
 * Requests or answers that go on though nobody waits for them: an app may still work while it reads or streams one,
 * and would be cut off with its connection. Beyond a number of them the oldest is closed, since some are never ended.
 */
export class OpenAnswers {
  readonly #most: number;
  readonly #open = new Set<Open>();

  /** @param most how many may stay open */
  constructor(most: number) {
    this.#most = most;
  }

  add(one: Open): void {
    this.#open.add(one);
    one.once('close', () => this.#open.delete(one));
    const [oldest] = this.#open;
    if (this.#open.size > this.#most) oldest?.destroy();
  }
}
