import * as vscode from 'vscode';
import type { SecretScope } from '../../model/secrets/webhookSecret.ts';
import type { Log } from '../log.ts';

/** What the Projects view knows of the webhook secrets. */
export interface ProjectSecrets {
  readonly onDidChange: vscode.Event<void>;
  store(): Promise<{
    /** The projects and apps that have one of their own. */
    ownScopes(): Promise<SecretScope[]>;
    removeProject(projectId: string): Promise<void>;
    remove(scope: SecretScope): Promise<void>;
    /** Has an app that was renamed keep its own. */
    move(from: SecretScope, to: SecretScope): Promise<void>;
  }>;
}

/** Which projects and apps have a webhook secret of their own, as last read: no drawing waits for the secret store. */
export class OwnSecrets implements vscode.Disposable {
  readonly #secrets: ProjectSecrets;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #own: ReadonlySet<string> | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(secrets: ProjectSecrets, log: Log) {
    this.#secrets = secrets;
    this.#log = log;
    this.#subscription = secrets.onDidChange(() => this.#readInBackground());
  }

  has(scope: SecretScope): boolean {
    if (this.#own === undefined) {
      this.#own = new Set();
      this.#readInBackground();
    }
    return this.#own.has(idOf(scope));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #readInBackground(): void {
    this.#read().catch((error: unknown) => this.#log.error(String(error)));
  }

  async #read(): Promise<void> {
    const scopes = await (await this.#secrets.store()).ownScopes();
    this.#own = new Set(scopes.map(idOf));
    this.#changed.fire();
  }
}

function idOf({ projectId, appName }: SecretScope): string {
  return JSON.stringify([projectId, appName]);
}
