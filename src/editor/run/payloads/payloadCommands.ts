import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { givenFile } from '../../prompts/givenFile.ts';
import type { PayloadFile } from './payloadFile.ts';
import type { PayloadMoves } from './payloadMoves.ts';
import { placeText } from './payloadRows.ts';
import type { GivenPayload, Payloads } from './payloads.ts';
import type { RunChoices } from '../runChoices.ts';

const text = v.exactOptional(v.string());
/** The payload: by its app and name, or by its file. */
const payloadSchema = v.object({ projectId: text, appName: text, name: text, file: text });
const renameSchema = v.object({ ...payloadSchema.entries, to: text });
const deleteSchema = v.object({ ...payloadSchema.entries, confirmed: v.exactOptional(v.boolean()) });
const moveSchema = v.object({ ...deleteSchema.entries, to: text });

type Given = v.InferOutput<typeof payloadSchema>;

/** The commands of payload documents. Commands that change a payload use the active document if none is given. */
export function payloadCommands(
  prompts: Prompts,
  payloads: Payloads,
  choices: RunChoices,
  moves: PayloadMoves,
) {
  /** @throws UserError if there is no such payload, DeclinedError if the user picked none */
  async function existing(given: Given, place?: PayloadFile['place']): Promise<PayloadFile> {
    const activeUri = vscode.window.activeTextEditor?.document.uri;
    const uri = given.file === undefined ? activeUri : await givenFile(given.file);
    const isMeant = given.file !== undefined || Object.keys(given).length === 0;
    const found = isMeant && uri !== undefined ? await payloads.at(uri) : undefined;
    if (found !== undefined && isAt(found, place)) return ofApp(found, given);
    if (given.file !== undefined) throw noSuchPayload(given.file, place);
    const app = await choices.app(given);
    if (app === undefined) throw new DeclinedError(t('No payload was picked.'));
    const all = (await payloads.list(app)).filter((one) => isAt(one, place));
    if (given.name !== undefined) {
      const named = all.filter(({ name }) => name === given.name);
      const one = named.find((each) => each.place === 'machine') ?? named[0];
      if (one === undefined) throw new UserError(t('{0} has no payload "{1}".', app.appName, given.name));
      return one;
    }
    if (all.length === 0) throw noSuchPayload(app.appName, place);
    const lines = all.map((one) => ({ label: plainText(one.name), description: placeText(one), value: one }));
    const picked = await prompts.pick(t('Which payload of {0}?', plainText(app.appName)), lines);
    if (picked === undefined) throw new DeclinedError(t('No payload was picked.'));
    return picked;
  }

  /** Adds the app to a payload. A workspace file may be for an unknown app, known only by the name of its folder. */
  function ofApp(found: GivenPayload, given: Given): PayloadFile {
    const { appName = given.appName ?? '' } = found;
    const projectId = given.projectId ?? found.projectId ?? choices.usualProject(appName) ?? '';
    return { ...found, projectId, appName };
  }

  async function opened(uri: vscode.Uri): Promise<string> {
    await vscode.window.showTextDocument(uri);
    return uri.toString();
  }

  return {
    /** Opens the payload that was last run; `name: ''` asks which one. */
    [commandIds.openPayload]: command(payloadSchema, async (given = {}) => {
      const { name, file } = given;
      if (file !== undefined) return opened(await givenFile(file));
      const app = await choices.app(given);
      if (app === undefined) return undefined;
      const named = (one: string) => (one === '' ? payloads.pick(app) : payloads.open({ ...app, name: one }));
      const uri = await (name === undefined ? payloads.last(app) : named(name));
      return uri && opened(uri);
    }),
    [commandIds.renamePayload]: command(renameSchema, async (given = {}) => {
      return (await payloads.rename(await existing(given), given.to)).toString();
    }),
    [commandIds.duplicatePayload]: command(renameSchema, async (given = {}) => {
      return opened(await payloads.duplicate(await existing(given), given.to));
    }),
    [commandIds.deletePayload]: command(deleteSchema, async (given = {}) => {
      await payloads.delete(await existing(given), given.confirmed);
    }),
    [commandIds.movePayloadToWorkspace]: command(moveSchema, async (given = {}) => {
      return (await moves.toWorkspace(await existing(given, 'machine'), given)).toString();
    }),
    [commandIds.movePayloadToMachine]: command(moveSchema, async (given = {}) => {
      const payload = await existing(given, 'workspace');
      const app = picked(await choices.appOfFile({ ...payload, projectId: payload.projectId || undefined }));
      return (await moves.toMachine({ ...payload, ...app }, given)).toString();
    }),
  };
}

function isAt(payload: { place: PayloadFile['place'] }, place: PayloadFile['place'] | undefined): boolean {
  return place === undefined || payload.place === place;
}

function noSuchPayload(what: string, place: PayloadFile['place'] | undefined): UserError {
  const shown = plainText(what, 300);
  if (place === 'workspace') return new UserError(t('{0} is not a payload of the workspace.', shown));
  return place === 'machine'
    ? new UserError(t('{0} is not a payload of this machine.', shown))
    : new UserError(t('{0} is not a payload.', shown));
}

function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('No payload was moved.'));
  return choice;
}
