import { type HeldSecret, verifiesAt } from '../../model/secrets/webhookSecret.ts';

/** How many bytes may be hashed to find the secret of one delivery: a body from a stranger is tried with each. */
const mostBytes = 128 * 1024 * 1024;
/** The minimum number of secrets to try, however large the body is. */
const leastTried = 8;
/** The fixed cost of a try in addition to the body, in bytes. */
const tryCost = 1024;

/** The secrets that a listener holds, in the order in which it tries them: the last one that matched comes first. */
export class SecretOrder {
  #held: readonly HeldSecret[];

  constructor(held: readonly HeldSecret[]) {
    this.#held = held;
  }

  /**
   * The secrets that are valid at a time (Unix milliseconds), limited to as many as the body size leaves time for.
   * @returns `untried` is the number of valid secrets beyond that limit
   */
  toTry(at: number, bodyBytes: number): { secrets: HeldSecret[]; untried: number } {
    const verifying = this.#held.filter((held) => verifiesAt(held, at));
    const most = Math.max(leastTried, Math.floor(mostBytes / (bodyBytes + tryCost)));
    // guard S23: The larger a body, the fewer secrets it is tried with.
    const secrets = verifying.slice(0, most);
    return { secrets, untried: verifying.length - secrets.length };
  }

  /** Whether no secret is valid at a time (Unix milliseconds). */
  isEmpty(at: number): boolean {
    return !this.#held.some((held) => verifiesAt(held, at));
  }

  noteFit(fitted: HeldSecret): void {
    if (this.#held[0] === fitted) return;
    this.#held = [fitted, ...this.#held.filter((held) => held !== fitted)];
  }
}
