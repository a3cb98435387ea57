import type * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { terminalsText } from '../../commandLine/terminals.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

type Collection = Pick<vscode.EnvironmentVariableCollection, 'description' | 'delete' | 'replace'>;

/**
 * The webhook secret as a variable of this window's terminals. The collection is kept in memory alone, and made anew with
 * each window: the secret is gone with it.
 */
export class TerminalSecret {
  readonly #collection: Collection;
  readonly #secrets: Pick<WebhookSecrets, 'store'>;
  #given: { variable: string; scope: SecretScope; secret: string } | undefined;

  constructor(collection: Collection, secrets: Pick<WebhookSecrets, 'store'>) {
    this.#collection = collection;
    this.#secrets = secrets;
  }

  /** The variable that terminals have; undefined where they have none. */
  get variable(): string | undefined {
    return this.#given?.variable;
  }

  /** Gives it to the terminals that are opened from now on; those that are open say that they are behind. */
  give(variable: string, scope: SecretScope, secret: string): void {
    const { variable: before, secret: last } = this.#given ?? {};
    if (before === variable && last === secret) return;
    if (before !== undefined && before !== variable) this.take();
    this.#given = { variable, scope, secret };
    // A shell may set its variables anew as it starts, and is told once more.
    const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
    this.#collection.replace(variable, secret, options);
    this.#collection.description = `${terminalsText()}. ${t('Gives them the webhook secret as `{0}`', variable)}`;
  }

  /** Takes it back; a terminal that is open keeps it until it is opened anew. */
  take(): void {
    if (this.#given === undefined) return;
    this.#collection.delete(this.#given.variable);
    this.#collection.description = terminalsText();
    this.#given = undefined;
  }

  /** Goes along with a change of the secret; one that is no more is taken back. */
  async follow(): Promise<void> {
    if (this.#given === undefined) return;
    const { variable, scope } = this.#given;
    const found = await (await this.#secrets.store()).find(scope);
    // Meanwhile it may have been taken back, or given by another name.
    if (this.variable !== variable) return;
    if (found === undefined) this.take();
    else this.give(variable, scope, found.secret);
  }
}
