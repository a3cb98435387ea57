import type * as vscode from 'vscode';

const portKey = 'sandbox.port';
const ranKey = 'sandbox.ran';

/** What a workspace remembers of its sandbox: its port, and whether it ran when the window was left. */
export class RememberedSandbox {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** 0 where it had none. */
  get port(): number {
    return this.#memento.get(portKey, 0);
  }

  get ran(): boolean {
    return this.#memento.get(ranKey, false);
  }

  async started(port: number): Promise<void> {
    await this.#memento.update(portKey, port);
    await this.#memento.update(ranKey, true);
  }

  /** A user has stopped it. */
  async stopped(): Promise<void> {
    await this.#memento.update(ranKey, undefined);
  }
}
