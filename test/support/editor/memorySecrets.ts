import * as vscode from 'vscode';

/** A secret store in memory. */
export class MemorySecrets implements vscode.SecretStorage {
  readonly #values = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  readonly onDidChange = this.#changed.event;

  #read: Promise<unknown> = Promise.resolve();

  async keys(): Promise<string[]> {
    await this.#read;
    return [...this.#values.keys()];
  }

  /** Makes `keys()` wait until the returned function is called. */
  pauseReading(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#read = promise;
    return () => resolve(undefined);
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.#values.set(key, value);
    this.#changed.fire({ key });
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#values.delete(key);
    this.#changed.fire({ key });
    return Promise.resolve();
  }
}
