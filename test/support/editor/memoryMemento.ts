import type * as vscode from 'vscode';

/** A memento in memory. It stores copies, as the real one does. */
export class MemoryMemento implements vscode.Memento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    const text = this.#values.get(key);
    return (text === undefined ? fallback : JSON.parse(text)) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }

  setKeysForSync(): void {
    // Nothing is synced.
  }
}
