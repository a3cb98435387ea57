import type * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { AppRef } from '../../projects/feature.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { lastFirst } from '../../prompts/lastFirst.ts';
import type { ButtonChoice, ChoiceButton, Prompts } from '../../prompts/prompts.ts';
import type { LastChoices } from '../lastChoices.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';

type Action = 'rename' | 'duplicate' | 'delete';

/** The payloads of the apps: picks one, which is remembered, and changes them. Asks for what is not given. */
export class Payloads {
  readonly #prompts: Prompts;
  readonly #last: LastChoices;
  readonly store: PayloadStore;

  constructor(prompts: Prompts, store: PayloadStore, last: LastChoices) {
    this.#prompts = prompts;
    this.store = store;
    this.#last = last;
  }

  /** Lists the payloads of the app, with buttons to rename, copy and delete them, and one line for a new one. */
  async pick(app: AppRef): Promise<vscode.Uri | undefined> {
    for (;;) {
      const lastName = this.#last.payload(app);
      const names = lastFirst(await this.store.list(app), (name) => name === lastName);
      const choices: ButtonChoice<string | undefined, Action>[] = [
        ...names.map((name) => ({ label: name, value: name, buttons: buttons() })),
        { label: t('New Payload…'), value: undefined, buttons: [] },
      ];
      const picked = await this.#prompts.pickOrAct(t('Which payload of {0}?', app.appName), choices);
      if (picked === undefined) return undefined;
      const { value, action } = picked;
      const name = value ?? (await this.#newName(app));
      if (action === undefined) return this.open({ ...app, name });
      try {
        await this[action]({ ...app, name });
      } catch (error) {
        // Whoever declines is back at the list.
        if (!(error instanceof DeclinedError)) throw error;
      }
    }
  }

  /** The payload that the app was last run with; the first one is made without a question. */
  async last(app: AppRef): Promise<vscode.Uri> {
    const names = await this.store.list(app);
    const lastName = this.#last.payload(app);
    return this.open({ ...app, name: names.find((one) => one === lastName) ?? names[0] ?? app.appName });
  }

  /** The payload of that name, which is made where there is none. */
  async open(owner: PayloadOwner): Promise<vscode.Uri> {
    await this.#last.rememberPayload(owner);
    return this.store.ensure(owner);
  }

  /**
   * @param to the new name
   * @throws UserError where the app has a payload of that name, DeclinedError where the user gave none
   */
  async rename(owner: PayloadOwner, to?: string): Promise<vscode.Uri> {
    const name = to ?? (await this.#newName(owner, owner.name, owner.name));
    if (name === owner.name) return this.store.uri(owner);
    const uri = await this.store.rename(owner, name);
    if (this.#last.payload(owner) === owner.name) await this.#last.rememberPayload({ ...owner, name });
    return uri;
  }

  /** As `rename`; the payload stays, and its copy has the name. */
  async duplicate(owner: PayloadOwner, to?: string): Promise<vscode.Uri> {
    const name = to ?? (await this.#newName(owner, t('{0} copy', owner.name)));
    return this.store.duplicate(owner, name);
  }

  /** Asks first. @throws DeclinedError where the user declined */
  async delete(owner: PayloadOwner, confirmed = false): Promise<void> {
    const question = t('Delete the payload "{0}" of {1}?', plainText(owner.name), plainText(owner.appName));
    const detail = t('Its content cannot be restored.');
    if (!confirmed && !(await this.#prompts.confirm(question, detail, t('Delete')))) {
      throw new DeclinedError(t('No payload was deleted.'));
    }
    await this.store.delete(owner);
  }

  /**
   * Asks for a name that no payload of the app has.
   * @param except the name that may stay
   * @throws DeclinedError where the user gave none
   */
  async #newName(app: AppRef, value = '', except?: string): Promise<string> {
    const taken = (await this.store.list(app)).filter((name) => name !== except);
    const name = await this.#prompts.input({
      title: t('Payload of {0}', app.appName),
      prompt: t('Name of the payload'),
      value,
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

function buttons(): ChoiceButton<Action>[] {
  return [
    { icon: 'edit', title: t('Rename'), action: 'rename' },
    { icon: 'copy', title: t('Duplicate'), action: 'duplicate' },
    { icon: 'trash', title: t('Delete'), action: 'delete' },
  ];
}
