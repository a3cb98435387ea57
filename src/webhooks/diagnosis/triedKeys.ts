import { createSecretKey, type KeyObject } from 'node:crypto';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';
import { secretChanges } from './secretChanges.ts';
import { signedEarlierText, signedWithText } from './secretText.ts';

/** A key that the sender may have signed with, and what was done to a held secret to get it. */
export interface TriedKey {
  /** Not the bytes themselves: each key is tried many times, and Node is far slower with bytes. */
  key: KeyObject;
  causes: Cause[];
}

/** The keys that people make of held secrets: the secrets themselves, and what may have become of them. */
export class TriedKeys {
  readonly plain: readonly TriedKey[];
  readonly #changed: Iterator<TriedKey>;
  readonly #made: TriedKey[] = [];

  /**
   * @param secrets the likeliest first
   * @param which says which of them it is, where that has to be said
   */
  constructor(secrets: readonly HeldSecret[], which: (held: HeldSecret) => Cause[]) {
    const seen = new Set<string>();
    const add = (bytes: Buffer, causes: Cause[]): TriedKey | undefined => {
      const id = bytes.toString('latin1');
      if (bytes.length === 0 || seen.has(id)) return undefined;
      seen.add(id);
      return { key: createSecretKey(bytes), causes };
    };
    this.plain = secrets.flatMap((held) => add(Buffer.from(held.secret), which(held)) ?? []);
    this.#changed = changedKeys(secrets, which, add);
  }

  /** The changed secrets. Each key is made only once, and only when it is needed. */
  *changed(): Generator<TriedKey> {
    for (let at = 0; ; at += 1) {
      if (at === this.#made.length) {
        const next = this.#changed.next();
        if (next.done === true) return;
        this.#made.push(next.value);
      }
      const key = this.#made[at];
      if (key !== undefined) yield key;
    }
  }
}

function* changedKeys(
  secrets: readonly HeldSecret[],
  which: (held: HeldSecret) => Cause[],
  add: (bytes: Buffer, causes: Cause[]) => TriedKey | undefined,
): Generator<TriedKey> {
  for (const held of secrets) {
    for (const { kind, of } of secretChanges) {
      for (const [key, text] of of(held.secret)) {
        const made = add(Buffer.from(key), [...which(held), { kind, text }]);
        if (made !== undefined) yield made;
      }
    }
  }
}

/**
 * Says which of the held secrets one is.
 * @param expected the secret that is expected to be used, and so is not named as a cause
 */
export function whichSecret(
  secrets: readonly HeldSecret[],
  expected: HeldSecret | undefined,
): (held: HeldSecret) => Cause[] {
  const several = secrets.filter(({ until }) => until === undefined).length > 1;
  return (held) => {
    const { owner, until } = held;
    if (held === expected) return [];
    if (until !== undefined && owner.kind !== 'once') {
      return [{ kind: 'earlierSecret', text: signedEarlierText(owner) }];
    }
    return several ? [{ kind: 'secretOf', text: signedWithText({ owner }) }] : [];
  };
}
