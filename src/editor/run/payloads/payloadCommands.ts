import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { PayloadActions } from './payloadActions.ts';
import type { PayloadChoices } from './payloadChoices.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';
import type { RunChoices } from '../runChoices.ts';

export interface PayloadCommandsParts {
  prompts: Prompts;
  payloads: PayloadStore;
  choices: RunChoices;
  payloadChoices: PayloadChoices;
  actions: PayloadActions;
}

const text = v.exactOptional(v.string());
const payloadSchema = v.object({ projectId: text, appName: text, name: text });
const renameSchema = v.object({ ...payloadSchema.entries, to: text });
const deleteSchema = v.object({ ...payloadSchema.entries, confirmed: v.exactOptional(v.boolean()) });

type GivenPayload = v.InferOutput<typeof payloadSchema>;

/** The commands of payload documents. Those that change one take the document in front where none is given. */
export class PayloadCommands {
  readonly #parts: PayloadCommandsParts;

  constructor(parts: PayloadCommandsParts) {
    this.#parts = parts;
  }

  commands() {
    const { actions } = this.#parts;
    return {
      [commandIds.openPayload]: command(payloadSchema, (given = {}) => this.#open(given)),
      [commandIds.renamePayload]: command(renameSchema, async (given = {}) => {
        return (await actions.rename(await this.#existing(given), given.to)).toString();
      }),
      [commandIds.duplicatePayload]: command(renameSchema, async (given = {}) => {
        const copy = await actions.duplicate(await this.#existing(given), given.to);
        await vscode.window.showTextDocument(copy);
        return copy.toString();
      }),
      [commandIds.deletePayload]: command(deleteSchema, async (given = {}) => {
        await actions.delete(await this.#existing(given), given);
      }),
    };
  }

  /** Opens the payload that was last run; `name: ''` asks which one. */
  async #open(given: GivenPayload): Promise<string | undefined> {
    const { choices, payloadChoices } = this.#parts;
    const app = await choices.app(given);
    if (app === undefined) return undefined;
    const uri = await (given.name === undefined
      ? payloadChoices.last(app)
      : given.name === ''
        ? payloadChoices.pick(app)
        : payloadChoices.open({ ...app, name: given.name }));
    if (uri === undefined) return undefined;
    await vscode.window.showTextDocument(uri);
    return uri.toString();
  }

  /** @throws UserError where there is no such payload, DeclinedError where the user picked none */
  async #existing(given: GivenPayload): Promise<PayloadOwner> {
    const { payloads, choices, prompts } = this.#parts;
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const owner = inFront && payloads.owner(inFront);
    if (Object.keys(given).length === 0 && owner !== undefined) return owner;
    const app = await choices.app(given);
    if (app === undefined) throw new DeclinedError(t('No payload was picked.'));
    const names = await payloads.list(app.projectId, app.appName);
    const name =
      given.name ??
      (await prompts.pick(
        t('Which payload of {0}?', app.appName),
        names.map((one) => ({ label: one, value: one })),
      ));
    if (name === undefined) throw new DeclinedError(t('No payload was picked.'));
    if (!names.includes(name)) {
      throw new UserError(t('{0} has no payload "{1}".', app.appName, name));
    }
    return { ...app, name };
  }
}
