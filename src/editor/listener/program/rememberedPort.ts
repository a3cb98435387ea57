import type * as vscode from 'vscode';

/** The port on which this window listens: taken again after a reload. */
const inUseKey = 'listener.port';
/** The port on which it listened last: preferred at the next start, so that public addresses stay right. */
const lastKey = 'listener.lastPort';

/** What a workspace remembers of its listener's port. */
export class RememberedPort {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Undefined where the listener was stopped. */
  get inUse(): number | undefined {
    return this.#memento.get<number>(inUseKey);
  }

  get last(): number | undefined {
    return this.#memento.get<number>(lastKey) ?? this.inUse;
  }

  async listening(port: number): Promise<void> {
    await this.#memento.update(inUseKey, port);
    await this.#memento.update(lastKey, port);
  }

  async stopped(): Promise<void> {
    await this.#memento.update(inUseKey, undefined);
  }
}
