import * as vscode from 'vscode';
import type { SecretScope } from '../../../service/signature/webhookSecret.ts';
import { describeTerminals } from '../../commandLine/terminals.ts';
import { contextIds } from '../../kit/ids.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/**
 * The webhook secret as a variable of this window's terminals. The collection is kept in memory only and recreated
 * for each window, so the secret is gone when the window closes.
 */
export class TerminalSecret {
  readonly #collection: vscode.EnvironmentVariableCollection;
  readonly #secrets: Pick<WebhookSecrets, 'store'>;
  #given: { variable: string; scope: SecretScope; secret: string } | undefined;

  constructor(collection: vscode.EnvironmentVariableCollection, secrets: Pick<WebhookSecrets, 'store'>) {
    this.#collection = collection;
    this.#secrets = secrets;
  }

  /** The name of the variable that terminals have; undefined if they have none. */
  get variable(): string | undefined {
    return this.#given?.variable;
  }

  /** The secret that terminals get; undefined if they get none. */
  get secret(): string | undefined {
    return this.#given?.secret;
  }

  /** Gives the secret to terminals opened from now on. Open terminals are marked as out of date. */
  give(variable: string, scope: SecretScope, secret: string): void {
    const { variable: before, secret: last } = this.#given ?? {};
    if (before === variable && last === secret) return;
    if (before !== undefined && before !== variable) this.take();
    this.#given = { variable, scope, secret };
    // A shell may reset its variables as it starts: shell integration then applies them once more.
    const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
    this.#collection.replace(variable, secret, options);
    this.#describe();
  }

  /** Takes the secret back. An open terminal keeps it until it is reopened. */
  take(): void {
    if (this.#given === undefined) return;
    this.#collection.delete(this.#given.variable);
    this.#given = undefined;
    this.#describe();
  }

  #describe(): void {
    describeTerminals(this.#collection);
    const isGiven = this.#given !== undefined;
    void vscode.commands.executeCommand('setContext', contextIds.terminalsHaveSecret, isGiven);
  }

  /** Applies a change of the secret to the terminals. A removed secret is taken back. */
  async follow(): Promise<void> {
    if (this.#given === undefined) return;
    const { variable, scope } = this.#given;
    const found = await (await this.#secrets.store()).find(scope);
    // Meanwhile the secret may have been taken back, or given under another name.
    if (this.variable !== variable) return;
    if (found === undefined) this.take();
    else this.give(variable, scope, found.secret);
  }
}
