import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { type Log, logError } from '../../log.ts';
import type { AppRef } from '../../projects/feature.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { moveFile, type PayloadFile } from './payloadFile.ts';
import type { PayloadStore } from './payloadStore.ts';
import { payloadFolder, payloadHome, type WorkspacePayloads } from './workspacePayloads.ts';

export interface PayloadMoveParts {
  prompts: Prompts;
  shared: WorkspacePayloads;
  store: PayloadStore;
  /** Whether a file that names only the app is run with this app, and not with one of another project. */
  isUsual: (app: AppRef) => boolean;
  /** The state that all windows share. */
  memento: vscode.Memento;
  log: Log;
}

const offeredKey = 'payloads.moveOffered';

/** Moves payloads of this machine to the workspace. Nothing is replaced: what cannot be moved stays, and is listed. */
export class PayloadMove {
  readonly #parts: PayloadMoveParts;
  #offering: Promise<void> | undefined;

  constructor(parts: PayloadMoveParts) {
    this.#parts = parts;
  }

  /** Asks whether to move all payloads of this machine: once, when there are any and a folder is open. */
  async offer(): Promise<void> {
    this.#offering ??= this.#ask().finally(() => {
      this.#offering = undefined;
    });
    await this.#offering;
  }

  /** The payloads that can be moved: those that are run with the same app afterwards. */
  movable(payloads: readonly PayloadFile[]): PayloadFile[] {
    if (payloadHome() === undefined) return [];
    return payloads.filter((one) => one.place === 'machine' && this.#parts.isUsual(one));
  }

  /** Moves payloads, and tells about those that stay. */
  async move(payloads: readonly PayloadFile[]): Promise<void> {
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
      'These payloads stay on this machine: {0}. Their names are taken, or their files cannot be moved.',
      [...names, ...more].join(', '),
    );
    prompts.tell(message, []).catch((error: unknown) => logError(log, error));
  }

  async #ask(): Promise<void> {
    const { memento, store, prompts, log } = this.#parts;
    const home = payloadHome();
    // An untrusted folder is somebody else's: it gets nothing that was kept apart from it.
    if (home === undefined || !vscode.workspace.isTrusted || memento.get<boolean>(offeredKey) === true)
      return;
    const stored = await store.all().catch((error: unknown) => {
      logError(log, error);
      return [];
    });
    const all = this.movable(stored);
    if (all.length === 0) return;
    const folder = payloadFolder(home);
    const question =
      all.length === 1
        ? t('Move 1 payload to the workspace?')
        : t('Move {0} payloads to the workspace?', all.length);
    const detail = t(
      'Runhook keeps payloads in {0} now, where you can share them by git. What is still in its storage on this machine can be moved there. What stays is listed as before. You are asked once.',
      plainText(folder === undefined ? home.name : vscode.workspace.asRelativePath(folder), 300),
    );
    const isAgreed = await prompts.confirm(question, detail, t('Move'));
    await memento.update(offeredKey, true);
    if (isAgreed) await this.move(all);
  }

  async #moveOne(payload: PayloadFile): Promise<boolean> {
    const home = payloadHome();
    return (
      home !== undefined && moveFile(payload.uri, await this.#parts.shared.place(home, payload, payload.name))
    );
  }
}
