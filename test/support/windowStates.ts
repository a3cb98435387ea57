import type * as vscode from 'vscode';
import { MemoryMemento } from './memoryMemento.ts';

/** The state that all windows share. As in the editor, what one writes is known to the others only later. */
export class WindowStates {
  readonly #windows: MemoryMemento[] = [];
  #onTheWay: { from: MemoryMemento; key: string; value: unknown }[] = [];

  /** The state as another window has it. */
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

  /** What was written reaches every window. */
  async arrive(): Promise<void> {
    const arrived = this.#onTheWay.splice(0);
    for (const { from, key, value } of arrived) {
      for (const window of this.#windows) if (window !== from) await window.update(key, value);
    }
  }
}
