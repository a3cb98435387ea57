import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { IssuedTokens } from '../../model/service/sandboxProtocol.ts';
import { Turns } from '../../model/async/turns.ts';
import { rememberedSandbox } from '../ids.ts';
import { type Log, logError } from '../log.ts';

/** The prefix of the keys under which the secret store has the tokens of sandboxes. */
const prefix = 'runhook.sandbox.tokens:';

/** Keeps the tokens of the sandbox of this workspace over a reload. A failure is logged: they are then new ones. */
export class IssuedTokensStore {
  readonly #memento: vscode.Memento;
  readonly #secrets: vscode.SecretStorage;
  readonly #log: Log;
  readonly #turns = new Turns();

  constructor(memento: vscode.Memento, secrets: vscode.SecretStorage, log: Log) {
    this.#memento = memento;
    this.#secrets = secrets;
    this.#log = log;
  }

  async get(): Promise<IssuedTokens | undefined> {
    const id = this.#memento.get<string>(rememberedSandbox.tokens);
    if (id === undefined) return undefined;
    try {
      const text = await this.#secrets.get(prefix + id);
      return text === undefined ? undefined : (JSON.parse(text) as IssuedTokens);
    } catch (error) {
      logError(this.#log, error);
      return undefined;
    }
  }

  set(issued: IssuedTokens): void {
    void this.#next(async () => {
      const id = this.#memento.get<string>(rememberedSandbox.tokens) ?? randomUUID();
      await this.#memento.update(rememberedSandbox.tokens, id);
      // guard: they go to the secret store of the editor
      await this.#secrets.store(prefix + id, JSON.stringify(issued));
    });
  }

  forget(): Promise<void> {
    return this.#next(async () => {
      const id = this.#memento.get<string>(rememberedSandbox.tokens);
      if (id === undefined) return;
      await this.#secrets.delete(prefix + id);
      await this.#memento.update(rememberedSandbox.tokens, undefined);
    });
  }

  /** Resolves once all is in the store. */
  stored(): Promise<void> {
    return this.#next(() => Promise.resolve());
  }

  #next(change: () => Promise<void>): Promise<void> {
    return this.#turns.next(change).catch((error: unknown) => logError(this.#log, error));
  }
}
