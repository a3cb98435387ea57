import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { PayloadOwner } from './payloadStore.ts';
import type { Payloads } from './payloads.ts';
import type { RunChoices } from '../runChoices.ts';

const text = v.exactOptional(v.string());
const payloadSchema = v.object({ projectId: text, appName: text, name: text });
const renameSchema = v.object({ ...payloadSchema.entries, to: text });
const deleteSchema = v.object({ ...payloadSchema.entries, confirmed: v.exactOptional(v.boolean()) });

type GivenPayload = v.InferOutput<typeof payloadSchema>;

/** The commands of payload documents. Those that change one take the document in front where none is given. */
export function payloadCommands(prompts: Prompts, payloads: Payloads, choices: RunChoices) {
  /** @throws UserError where there is no such payload, DeclinedError where the user picked none */
  async function existing(given: GivenPayload): Promise<PayloadOwner> {
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const owner = inFront && payloads.store.owner(inFront);
    if (Object.keys(given).length === 0 && owner !== undefined) return owner;
    const app = await choices.app(given);
    if (app === undefined) throw new DeclinedError(t('No payload was picked.'));
    const names = await payloads.store.list(app);
    const lines = names.map((one) => ({ label: one, value: one }));
    const name = given.name ?? (await prompts.pick(t('Which payload of {0}?', app.appName), lines));
    if (name === undefined) throw new DeclinedError(t('No payload was picked.'));
    if (!names.includes(name)) throw new UserError(t('{0} has no payload "{1}".', app.appName, name));
    return { ...app, name };
  }

  return {
    /** Opens the payload that was last run; `name: ''` asks which one. */
    [commandIds.openPayload]: command(payloadSchema, async (given = {}) => {
      const app = await choices.app(given);
      if (app === undefined) return undefined;
      const { name } = given;
      const named = (one: string) => (one === '' ? payloads.pick(app) : payloads.open({ ...app, name: one }));
      const uri = await (name === undefined ? payloads.last(app) : named(name));
      if (uri === undefined) return undefined;
      await vscode.window.showTextDocument(uri);
      return uri.toString();
    }),
    [commandIds.renamePayload]: command(renameSchema, async (given = {}) => {
      return (await payloads.rename(await existing(given), given.to)).toString();
    }),
    [commandIds.duplicatePayload]: command(renameSchema, async (given = {}) => {
      const copy = await payloads.duplicate(await existing(given), given.to);
      await vscode.window.showTextDocument(copy);
      return copy.toString();
    }),
    [commandIds.deletePayload]: command(deleteSchema, async (given = {}) => {
      await payloads.delete(await existing(given), given.confirmed);
    }),
  };
}
