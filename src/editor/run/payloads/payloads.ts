import * as vscode from 'vscode';
import { nameOfFile } from './payloadName.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { suffixes } from '../../kit/ids.ts';
import { DeclinedError, lastUsedFirst, type Choice, type Prompts } from '../../kit/prompts.ts';
import {
  createFile,
  type PayloadFile,
  type PayloadOwner,
  type PayloadStore,
  moveFile,
} from './payloadStore.ts';
import { payloadsFor, placeText } from './payloadRows.ts';
import { payloadHome, type WorkspacePayloads, payloadFolder } from './workspacePayloads.ts';
import { type Log, logError } from '../../kit/log.ts';
import type { LastChoices } from '../lastChoices.ts';

/** A payload given by its document. The app of a workspace payload may be unknown. */
export type GivenPayload = Omit<PayloadFile, keyof AppRef> & Partial<AppRef>;

interface PayloadsParts {
  prompts: Prompts;
  /** The payloads of the workspace, and those of this machine. */
  shared: WorkspacePayloads;
  store: PayloadStore;
  last: LastChoices;
  /** Whether a file that names only the app is run with this app, and not with one of another project. */
  isUsual: (app: AppRef) => boolean;
  /** The state that all windows share. */
  memento: vscode.Memento;
  log: Log;
  /** Called with each payload that is created in the workspace, before it is opened. */
  created: (payload: PayloadFile) => Promise<void>;
}

const offeredKey = 'payloads.moveOffered';

/**
 * Finds, picks and creates the payloads of apps, and remembers the picked ones. Moves those of this machine to the
 * workspace where the user agrees.
 */
export class Payloads {
  readonly #parts: PayloadsParts;
  #offering: Promise<void> | undefined;

  constructor(parts: PayloadsParts) {
    this.#parts = parts;
  }

  /** An app's payloads: those of the workspace, then what lies on this machine. */
  async list(app: AppRef): Promise<PayloadFile[]> {
    const { shared, store } = this.#parts;
    return [...payloadsFor(app, await shared.all()), ...(await store.list(app))];
  }

  /**
   * Lists the payloads of the app, and one line for a new one. Those of this machine can be moved to the workspace. An app
   * without any gets its first one without a question.
   */
  async pick(app: AppRef): Promise<vscode.Uri | undefined> {
    await this.#offerMove();
    const all = await this.list(app);
    if (all.length === 0) return this.open({ ...app, name: app.appName });
    const last = this.#lastOf(app, all);
    const movable = this.#movable(all);
    const choices: Choice<PayloadFile | 'new' | 'move'>[] = [
      ...lastUsedFirst(all, (one) => one === last).map((one) => ({
        ...{ label: plainText(one.name), description: placeText(one), value: one },
      })),
      { label: t('New Payload…'), value: 'new' },
      ...(movable.length === 0
        ? []
        : [{ label: t('Move Payloads from This Machine to the Workspace'), value: 'move' as const }]),
    ];
    const picked = await this.#parts.prompts.pick(t('Which payload of {0}?', app.appName), choices);
    if (picked === undefined) return undefined;
    if (picked === 'new') return this.open({ ...app, name: await this.#newName(app, all) });
    if (picked !== 'move') return this.use(picked);
    await this.#move(movable);
    return this.pick(app);
  }

  /** The payload that the app was last run with, else its first one; undefined if it has none. */
  async last(app: AppRef): Promise<vscode.Uri | undefined> {
    await this.#offerMove();
    const all = await this.list(app);
    const payload = this.#lastOf(app, all) ?? all[0];
    return payload && this.use(payload);
  }

  /** The payload of that name. If there is none, it is created in the workspace; without a folder, on this machine. */
  async open(owner: PayloadOwner): Promise<vscode.Uri> {
    await this.#offerMove();
    const found = (await this.list(owner)).find(({ name }) => name === owner.name);
    return this.use(found ?? (await this.#create(owner)));
  }

  /** The payload of a document, its app only if known; undefined if the document is not a payload. */
  async at(uri: vscode.Uri): Promise<GivenPayload | undefined> {
    const { store, shared } = this.#parts;
    const owner = store.owner(uri);
    if (owner !== undefined) return { ...owner, uri, place: 'machine' };
    if (shared.folderOf(uri) === undefined) return undefined;
    const file = uri.toString();
    const found = (await shared.all()).find((one) => one.uri.toString() === file);
    return { name: nameAt(uri), ...found, uri, place: 'workspace' };
  }

  /** Remembers a payload as the last one of its app. */
  async use(payload: PayloadFile): Promise<vscode.Uri> {
    await this.#parts.last.rememberPayload(payload, keyOf(payload));
    return payload.uri;
  }

  async #create({ name, projectId, appName }: PayloadOwner): Promise<PayloadFile> {
    const { store, shared, last, created } = this.#parts;
    const app = { projectId, appName };
    const home = payloadHome();
    if (home === undefined) {
      const uri = store.uri({ ...app, name });
      await createFile(uri);
      store.tellChange();
      return { ...app, name, uri, place: 'machine' };
    }
    const uri = await shared.place(home, app, name);
    const payload: PayloadFile = { ...app, name, uri, place: 'workspace' };
    // The folder names only the app, not its project.
    await last.rememberProjectOf(app);
    if (await createFile(payload.uri)) await created(payload);
    // Its app is known before its document asks for it.
    await shared.all();
    return payload;
  }

  /** Asks whether to move all payloads of this machine: once, when there are any and a folder is open. */
  async #offerMove(): Promise<void> {
    this.#offering ??= this.#askToMove().finally(() => {
      this.#offering = undefined;
    });
    await this.#offering;
  }

  async #askToMove(): Promise<void> {
    const { memento, store, prompts, log } = this.#parts;
    const home = payloadHome();
    // An untrusted folder is somebody else's: it gets nothing that was kept apart from it.
    if (home === undefined || !vscode.workspace.isTrusted || memento.get<boolean>(offeredKey) === true)
      return;
    const stored = await store.all().catch((error: unknown) => {
      logError(log, error);
      return [];
    });
    const all = this.#movable(stored);
    if (all.length === 0) return;
    const folder = payloadFolder(home);
    const question =
      all.length === 1
        ? t('Move 1 payload to the workspace?')
        : t('Move {0} payloads to the workspace?', all.length);
    const detail = t(
      'Runhook now keeps payloads in {0}, where you can share them with Git. Payloads still stored on this machine can be moved there. Those that stay are listed as before. You are asked only once.',
      plainText(folder === undefined ? home.name : vscode.workspace.asRelativePath(folder), 300),
    );
    const isAgreed = await prompts.confirm(question, detail, t('Move'));
    await memento.update(offeredKey, true);
    if (isAgreed) await this.#move(all);
  }

  /** The payloads that can be moved: those that are run with the same app afterwards. */
  #movable(payloads: readonly PayloadFile[]): PayloadFile[] {
    if (payloadHome() === undefined) return [];
    return payloads.filter((one) => one.place === 'machine' && this.#parts.isUsual(one));
  }

  /** Moves payloads, and tells about those that stay. */
  async #move(payloads: readonly PayloadFile[]): Promise<void> {
    const { store, prompts, log } = this.#parts;
    const left: PayloadFile[] = [];
    for (const one of payloads) {
      const isMoved = await this.#moveOne(one).catch((error: unknown) => {
        logError(log, error);
        return false;
      });
      if (!isMoved) left.push(one);
    }
    store.tellChange();
    if (left.length === 0) return;
    const names = left.slice(0, 10).map(({ appName, name }) => plainText(`${appName}/${name}`, 100));
    const more = left.length > names.length ? [t('and {0} more', left.length - names.length)] : [];
    const message = t(
      'These payloads stay on this machine: {0}. Their names are in use, or their files cannot be moved.',
      [...names, ...more].join(', '),
    );
    prompts.tell(message, []).catch((error: unknown) => logError(log, error));
  }

  async #moveOne(payload: PayloadFile): Promise<boolean> {
    const home = payloadHome();
    return (
      home !== undefined && moveFile(payload.uri, await this.#parts.shared.place(home, payload, payload.name))
    );
  }

  /** A payload of this machine is remembered by its name, by which it is also found once it was moved. */
  #lastOf(app: AppRef, all: readonly PayloadFile[]): PayloadFile | undefined {
    const key = this.#parts.last.payload(app);
    return all.find((one) => keyOf(one) === key) ?? all.find(({ name }) => name === key);
  }

  /**
   * Asks for a name that no payload of the app has.
   * @throws DeclinedError if the user gave none
   */
  async #newName({ appName }: AppRef, all: readonly PayloadFile[]): Promise<string> {
    const name = await this.#parts.prompts.input({
      title: t('Payload of {0}', appName),
      prompt: t('Name of the payload'),
      validate: (text) => nameProblem(text, all),
    });
    if (name === undefined) throw new DeclinedError(t('No name was entered.'));
    return name;
  }
}

function nameProblem(name: string, taken: readonly PayloadFile[]): string | undefined {
  if (name.trim() === '' || name.length > 60) return t('Enter a name of 1 to 60 characters.');
  // Some file systems ignore case.
  return taken.some((one) => one.name.toLowerCase() === name.toLowerCase())
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
