import { type HeldSecret, isSameOwner } from '../../model/secrets/webhookSecret.ts';

/** The secrets of all windows. A window without secrets does not remove those of the others. */
export class HeldSecrets<Window extends object> {
  readonly #byWindow = new Map<Window, readonly HeldSecret[]>();
  /** The secrets of the last window that had any and left; used while no other window has some. */
  #left: readonly HeldSecret[] = [];

  set(window: Window, secrets: readonly HeldSecret[]): void {
    // Reinserted at the end: the secrets of the latest window are tried first.
    this.#byWindow.delete(window);
    this.#byWindow.set(window, secrets);
    if (secrets.length > 0) this.#left = [];
  }

  leave(window: Window): void {
    const secrets = this.#byWindow.get(window);
    this.#byWindow.delete(window);
    if (secrets !== undefined && secrets.length > 0 && this.all().length === 0) this.#left = secrets;
  }

  /** All secrets without duplicates, in the order in which they are tried. */
  all(): readonly HeldSecret[] {
    const all: HeldSecret[] = [];
    for (const secret of [...[...this.#byWindow.values()].reverse().flat(), ...this.#left]) {
      if (!all.some((one) => isSame(one, secret))) all.push(secret);
    }
    return all;
  }
}

function isSame(one: HeldSecret, other: HeldSecret): boolean {
  return one.secret === other.secret && one.until === other.until && isSameOwner(one.owner, other.owner);
}
