import type * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/accountRef.ts';

/** Tells which lists take their time, so that one that comes at once is never drawn as loading: that would flicker. */
export class SlowLists implements vscode.Disposable {
  readonly #afterMs: number;
  readonly #isSlow: (ref: AccountRef) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param isSlow called once for a list that is still awaited after so many milliseconds */
  constructor(afterMs: number, isSlow: (ref: AccountRef) => void) {
    this.#afterMs = afterMs;
    this.#isSlow = isSlow;
  }

  /** The list of an account is awaited from now on. */
  await(ref: AccountRef): void {
    const key = keyOf(ref);
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#isSlow(ref);
      }, this.#afterMs),
    );
  }

  isAwaited(ref: AccountRef): boolean {
    return this.#timers.has(keyOf(ref));
  }

  /** The list is there, or is drawn as loading already. */
  end(ref: AccountRef): void {
    clearTimeout(this.#timers.get(keyOf(ref)));
    this.#timers.delete(keyOf(ref));
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

function keyOf({ projectId, serviceAccountId }: AccountRef): string {
  return JSON.stringify([projectId, serviceAccountId]);
}
