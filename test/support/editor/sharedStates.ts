import type * as vscode from 'vscode';
import { MemoryMemento } from './memoryMemento.ts';

/** The global state of several windows. As in the editor, a change in one window reaches the others later. */
export class SharedStates {
  readonly #windows: MemoryMemento[] = [];
  #onTheWay: { from: MemoryMemento; key: string; value: unknown }[] = [];

  /** The state for another window. */
  open(): vscode.Memento {
    const own = new MemoryMemento();
    this.#windows.push(own);
    return {
      keys: () => own.keys(),
      get: <T>(key: string, fallback?: T) => own.get(key, fallback),
      update: async (key, value) => {
        await own.update(key, value);
        this.#onTheWay.push({ from: own, key, value });
      },
    };
  }

  /** Delivers the pending changes to all other windows. */
  async deliver(): Promise<void> {
    const arrived = this.#onTheWay.splice(0);
    for (const { from, key, value } of arrived) {
      for (const window of this.#windows) if (window !== from) await window.update(key, value);
    }
  }
}
