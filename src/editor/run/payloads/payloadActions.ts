import type * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { AppChoice, LastChoices } from '../lastChoices.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';

/** What can be done with the payloads of an app besides writing and running them. Asks for what is not given. */
export class PayloadActions {
  readonly #prompts: Prompts;
  readonly #payloads: PayloadStore;
  readonly #last: LastChoices;

  constructor(prompts: Prompts, payloads: PayloadStore, last: LastChoices) {
    this.#prompts = prompts;
    this.#payloads = payloads;
    this.#last = last;
  }

  /**
   * @param to the new name
   * @throws UserError where the app has a payload of that name, DeclinedError where the user gave none
   */
  async rename(owner: PayloadOwner, to?: string): Promise<vscode.Uri> {
    const name = to ?? (await this.newName(owner, { value: owner.name, except: owner.name }));
    if (name === owner.name) return this.#payloads.uri(owner);
    const uri = await this.#payloads.rename(owner, name);
    if (this.#last.payload(owner) === owner.name) await this.#last.rememberPayload({ ...owner, name });
    return uri;
  }

  /** As `rename`; the payload stays, and its copy has the name. */
  async duplicate(owner: PayloadOwner, to?: string): Promise<vscode.Uri> {
    const copy = t('{0} copy', owner.name);
    return this.#payloads.duplicate(owner, to ?? (await this.newName(owner, { value: copy })));
  }

  /** Asks first. @throws DeclinedError where the user declined */
  async delete(owner: PayloadOwner, options: { confirmed?: boolean } = {}): Promise<void> {
    const agreed =
      options.confirmed === true ||
      (await this.#prompts.confirm(
        t('Delete the payload "{0}" of {1}?', owner.name, owner.appName),
        t('Its content cannot be restored.'),
        t('Delete'),
      ));
    if (!agreed) throw new DeclinedError(t('No payload was deleted.'));
    await this.#payloads.delete(owner);
  }

  /**
   * Asks for a name that no payload of the app has.
   * @param except the name that may stay
   * @throws DeclinedError where the user gave none
   */
  async newName(
    app: AppChoice,
    { value, except }: { value?: string; except?: string } = {},
  ): Promise<string> {
    const names = await this.#payloads.list(app.projectId, app.appName);
    const taken = names.filter((name) => name !== except);
    const name = await this.#prompts.input({
      title: t('Payload of {0}', app.appName),
      prompt: t('Name of the payload'),
      ...(value !== undefined && { value }),
      validate: (text) => nameProblem(text, taken),
    });
    if (name === undefined) throw new DeclinedError(t('No name was given.'));
    return name;
  }
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name.trim() === '' || name.length > 60) return t('Enter a name of 1 to 60 characters.');
  // Some file systems do not tell capitals apart.
  return taken.some((one) => one.toLowerCase() === name.toLowerCase())
    ? t('There is a payload "{0}" already.', name)
    : undefined;
}
