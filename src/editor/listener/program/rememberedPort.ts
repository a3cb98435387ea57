import type * as vscode from 'vscode';

/** Key of the port on which this window listens, used again after a reload. */
const inUseKey = 'listener.port';
/** Key of the port on which it last listened, preferred at the next start so that public addresses stay valid. */
const lastKey = 'listener.lastPort';

/** What a workspace remembers of its listener's port. */
export class RememberedPort {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Undefined if the listener was stopped or never ran. */
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
