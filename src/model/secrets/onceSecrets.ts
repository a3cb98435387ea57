import { type HeldSecret, verifiesAt } from './webhookSecret.ts';

/** How long a secret verifies deliveries, in milliseconds. */
const heldMs = 60 * 60_000;
const maxSecrets = 4;

/** Secrets that the user entered for the delivery of a single run. Only in memory: the newest four, for an hour. */
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
    this.#held = [newest, ...others].slice(0, maxSecrets);
  }

  /** Newest first. */
  all(): readonly HeldSecret[] {
    const now = this.#now();
    // guard S25: A secret that is entered once is held in memory for an hour and never stored.
    this.#held = this.#held.filter((one) => verifiesAt(one, now));
    return this.#held;
  }

  erase(): void {
    this.#held = [];
  }
}
