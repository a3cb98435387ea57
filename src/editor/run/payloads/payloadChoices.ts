import type * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { ButtonChoice, ChoiceButton, Prompts } from '../../prompts/prompts.ts';
import type { AppChoice, LastChoices } from '../lastChoices.ts';
import { lastFirst } from '../../prompts/lastFirst.ts';
import type { PayloadActions } from './payloadActions.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';

type Action = 'rename' | 'duplicate' | 'delete';

export interface PayloadChoicesParts {
  prompts: Prompts;
  payloads: PayloadStore;
  actions: PayloadActions;
  last: LastChoices;
}

/** Which payload of an app: the last one, one that is picked, one by its name. It is remembered. */
export class PayloadChoices {
  readonly #parts: PayloadChoicesParts;

  constructor(parts: PayloadChoicesParts) {
    this.#parts = parts;
  }

  /** Lists the payloads of the app, with buttons to rename, copy and delete them, and one line for a new one. */
  async pick(app: AppChoice): Promise<vscode.Uri | undefined> {
    const { prompts, payloads, actions, last } = this.#parts;
    for (;;) {
      const names = await payloads.list(app.projectId, app.appName);
      const lastName = last.payload(app);
      const choices: ButtonChoice<string | undefined, Action>[] = [
        ...lastFirst(names, (name) => name === lastName).map((name) => ({
          label: name,
          value: name,
          buttons: buttons(),
        })),
        { label: t('New Payload…'), value: undefined, buttons: [] },
      ];
      const picked = await prompts.pickOrAct(t('Which payload of {0}?', app.appName), choices);
      if (picked === undefined) return undefined;
      const { value, action } = picked;
      if (value === undefined) return this.open({ ...app, name: await actions.newName(app) });
      if (action === undefined) return this.open({ ...app, name: value });
      await this.#act({ ...app, name: value }, action);
    }
  }

  /** The payload that the app was last run with; the first one is made without a question. */
  async last(app: AppChoice): Promise<vscode.Uri> {
    const { payloads, last } = this.#parts;
    const names = await payloads.list(app.projectId, app.appName);
    const lastName = last.payload(app);
    return this.open({ ...app, name: names.find((one) => one === lastName) ?? names[0] ?? app.appName });
  }

  /** The payload of that name, which is made where there is none. */
  async open(owner: PayloadOwner): Promise<vscode.Uri> {
    await this.#parts.last.rememberPayload(owner);
    return this.#parts.payloads.ensure(owner);
  }

  /** Whoever declines is back at the list. */
  async #act(owner: PayloadOwner, action: Action): Promise<void> {
    try {
      await this.#parts.actions[action](owner);
    } catch (error) {
      if (!(error instanceof DeclinedError)) throw error;
    }
  }
}

function buttons(): ChoiceButton<Action>[] {
  return [
    { icon: 'edit', title: t('Rename'), action: 'rename' },
    { icon: 'copy', title: t('Duplicate'), action: 'duplicate' },
    { icon: 'trash', title: t('Delete'), action: 'delete' },
  ];
}
