import * as vscode from 'vscode';
import { nameOfFile, sharedNameOf } from '../../../model/payloads/payloadName.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { suffixes } from '../../ids.ts';
import type { AppRef } from '../../projects/feature.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { lastFirst } from '../../prompts/lastFirst.ts';
import type { ButtonChoice, ChoiceButton, Prompts } from '../../prompts/prompts.ts';
import type { LastChoices } from '../lastChoices.ts';
import { copyFile, deleteFile, moveFile, type PayloadFile, refuseTaken } from './payloadFile.ts';
import { payloadsFor, placeText } from './payloadRows.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';
import type { WorkspacePayloads } from './workspacePayloads.ts';

type Action = 'rename' | 'duplicate' | 'delete';

/** A payload given by its document. The app of a workspace payload may be unknown. */
export type GivenPayload = Omit<PayloadFile, keyof AppRef> & Partial<AppRef>;

export interface PayloadsParts {
  prompts: Prompts;
  /** The payloads of this machine, and those of the workspace. */
  store: PayloadStore;
  shared: WorkspacePayloads;
  last: LastChoices;
}

/** Picks and changes the payloads of apps, and remembers the picked ones. Prompts for missing values. */
export class Payloads {
  readonly #prompts: Prompts;
  readonly #last: LastChoices;
  readonly store: PayloadStore;
  readonly shared: WorkspacePayloads;

  constructor({ prompts, store, shared, last }: PayloadsParts) {
    this.#prompts = prompts;
    this.store = store;
    this.shared = shared;
    this.#last = last;
  }

  /** An app's payloads: those of the workspace, then those of this machine. */
  async list(app: AppRef): Promise<PayloadFile[]> {
    return [...payloadsFor(app, await this.shared.all()), ...(await this.store.list(app))];
  }

  /** Lists the payloads of the app, with buttons to rename, copy and delete them, and one line for a new one. */
  async pick(app: AppRef): Promise<vscode.Uri | undefined> {
    for (;;) {
      const payloads = lastFirst(await this.list(app), (one) => this.#isLast(one));
      const choices: ButtonChoice<PayloadFile | undefined, Action>[] = [
        ...payloads.map((one) => ({
          ...{ label: plainText(one.name), description: placeText(one), value: one, buttons: buttons() },
        })),
        { label: t('New Payload…'), value: undefined, buttons: [] },
      ];
      const picked = await this.#prompts.pickOrAct(t('Which payload of {0}?', app.appName), choices);
      if (picked === undefined) return undefined;
      const { value, action } = picked;
      if (value === undefined) return this.open({ ...app, name: await this.newName(app) });
      if (action === undefined) return this.use(value);
      try {
        await this[action](value);
      } catch (error) {
        // A user who declines gets the list again.
        if (!(error instanceof DeclinedError)) throw error;
      }
    }
  }

  /** The payload that the app was last run with, else its first one. If it has none, creates one without asking. */
  async last(app: AppRef): Promise<vscode.Uri> {
    const payloads = await this.list(app);
    const payload = payloads.find((one) => this.#isLast(one)) ?? payloads[0];
    return payload === undefined ? this.open({ ...app, name: app.appName }) : this.use(payload);
  }

  /** The payload of that name. If there is none, it is created on this machine. */
  async open(owner: PayloadOwner): Promise<vscode.Uri> {
    const named = (await this.list(owner)).filter(({ name }) => name === owner.name);
    const found = named.find(({ place }) => place === 'machine') ?? named[0];
    if (found !== undefined) return this.use(found);
    await this.#last.rememberPayload(owner, owner.name);
    return this.store.ensure(owner);
  }

  /** The payload of a document, its app only if known; undefined if the document is not a payload. */
  async at(uri: vscode.Uri): Promise<GivenPayload | undefined> {
    const owner = this.store.owner(uri);
    if (owner !== undefined) return { ...owner, uri, place: 'machine' };
    if (this.shared.folderOf(uri) === undefined) return undefined;
    const file = uri.toString();
    const found = (await this.shared.all()).find((one) => one.uri.toString() === file);
    return { name: nameAt(uri), ...found, uri, place: 'workspace' };
  }

  /** Remembers a payload as the last one of its app. */
  async use(payload: PayloadFile): Promise<vscode.Uri> {
    await this.#last.rememberPayload(payload, keyOf(payload));
    return payload.uri;
  }

  /**
   * @param to the new name
   * @throws UserError if there is a payload of that name beside it, DeclinedError if the user gave none
   */
  async rename(payload: PayloadFile, to?: string): Promise<vscode.Uri> {
    const name = to ?? (await this.newName(payload, payload.name, payload));
    if (name === payload.name) return payload.uri;
    const wasLast = this.#isLast(payload);
    const uri = this.#beside(payload, name);
    await refuseTaken(uri, payload, name);
    await moveFile(payload.uri, uri);
    this.store.tellChange();
    return wasLast ? this.use({ ...payload, name, uri }) : uri;
  }

  /** Like `rename`, but the payload stays and a copy gets the name. */
  async duplicate(payload: PayloadFile, to?: string): Promise<vscode.Uri> {
    const name = to ?? (await this.newName(payload, t('{0} copy', payload.name)));
    const uri = this.#beside(payload, name);
    await refuseTaken(uri, payload, name);
    await copyFile(payload.uri, uri);
    this.store.tellChange();
    return uri;
  }

  /** Asks first, unless confirmed. @throws DeclinedError if the user declined */
  async delete(payload: PayloadFile, confirmed = false): Promise<void> {
    const { name, appName, uri } = payload;
    const question = t('Delete the payload "{0}" of {1}?', plainText(name), plainText(appName));
    const detail = t('Its content cannot be restored.');
    if (!confirmed && !(await this.#prompts.confirm(question, detail, t('Delete')))) {
      throw new DeclinedError(t('No payload was deleted.'));
    }
    await deleteFile(uri);
    this.store.tellChange();
  }

  #isLast(payload: PayloadFile): boolean {
    return this.#last.payload(payload) === keyOf(payload);
  }

  /** The URI of a payload of that name in the folder of the given payload. */
  #beside(payload: PayloadFile, name: string): vscode.Uri {
    if (payload.place === 'machine') return this.store.uri({ ...payload, name });
    return vscode.Uri.joinPath(payload.uri, '..', `${sharedNameOf(name)}${suffixes.payload}`);
  }

  /**
   * Asks for a name that no payload of the app has.
   * @param except the payload that may keep its own name
   * @throws DeclinedError if the user gave none
   */
  async newName(app: AppRef, value = '', except?: PayloadFile): Promise<string> {
    const all = (await this.list(app)).map(({ name }) => name);
    const taken = all.filter((name) => name !== except?.name);
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
  // Some file systems ignore case.
  return taken.some((one) => one.toLowerCase() === name.toLowerCase())
    ? t('There is already a payload "{0}".', name)
    : undefined;
}

function nameAt({ path }: vscode.Uri): string {
  return nameOfFile(path.slice(path.lastIndexOf('/') + 1, -suffixes.payload.length));
}

/** The key that a payload is remembered by: its name on this machine, its URI in the workspace. */
function keyOf({ place, name, uri }: PayloadFile): string {
  return place === 'machine' ? name : uri.toString();
}

function buttons(): ChoiceButton<Action>[] {
  return [
    { icon: 'edit', title: t('Rename'), action: 'rename' },
    { icon: 'copy', title: t('Duplicate'), action: 'duplicate' },
    { icon: 'trash', title: t('Delete'), action: 'delete' },
  ];
}
