import type * as vscode from 'vscode';

/** Where a window remembers up to where it was told of deliveries, and how seldom it writes that. */
const key = 'listener.told';
const everyMs = 500;

/** Up to which revision of the store this window was told, over a reload too. */
export class ToldRevision implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  #value: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#value = memento.get<number>(key);
  }

  get value(): number | undefined {
    return this.#value;
  }

  set(value: number): void {
    this.#value = value;
    this.#timer ??= setTimeout(() => this.#write(), everyMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#write();
  }

  #write(): void {
    this.#timer = undefined;
    // What is not remembered is told once more.
    this.#memento.update(key, this.#value).then(undefined, () => undefined);
  }
}
