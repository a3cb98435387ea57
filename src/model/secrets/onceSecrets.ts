import { type HeldSecret, verifiesAt } from './webhookSecret.ts';

/** How long one verifies, in milliseconds. */
const heldMs = 60 * 60_000;
const most = 4;

/** Secrets that were asked for once, each for the delivery of one run: in memory alone, a few of them for an hour. */
export class OnceSecrets {
  readonly #now: () => number;
  #held: HeldSecret[] = [];

  /** @param now a clock in Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  hold(secret: string, { projectId, appName }: { projectId: string; appName: string }): void {
    const until = this.#now() + heldMs;
    const newest: HeldSecret = { secret, owner: { kind: 'once', projectId, name: appName }, until };
    const others = this.all().filter((one) => one.secret !== secret);
    this.#held = [newest, ...others].slice(0, most);
  }

  /** The newest first. */
  all(): readonly HeldSecret[] {
    const now = this.#now();
    // guard: what is asked for once is held in memory for an hour and stored nowhere
    this.#held = this.#held.filter((one) => verifiesAt(one, now));
    return this.#held;
  }

  erase(): void {
    this.#held = [];
  }
}
