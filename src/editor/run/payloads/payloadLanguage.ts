import * as vscode from 'vscode';
import { parsed, payloadOfRun, RecentValues } from '../../../model/runs/recentValues.ts';
import { t } from '../../../model/text/l10n.ts';
import { commandIds } from '../../ids.ts';
import { payloadCompletion } from './payloadCompletion.ts';
import { type PayloadOwner, PayloadStore } from './payloadStore.ts';
import type { RunHistory } from '../history/runHistory.ts';

/**
 * What the editor offers in a payload document: links at its top, and what was written in recent ones.
 * @param storage the extension's own
 */
export function payloadLanguage(storage: vscode.Uri, history: RunHistory) {
  const payloads = new PayloadStore(storage);

  /** What the app was run with, the newest first, then its other payloads. */
  async function recent(owner: PayloadOwner): Promise<unknown[]> {
    const runs = history.list(owner).map(({ input }) => payloadOfRun(input));
    const others = (await payloads.list(owner)).filter((name) => name !== owner.name);
    const texts = others.map((name) => payloads.text({ ...owner, name }));
    return [...runs, ...(await Promise.all(texts)).map(parsed)];
  }

  return {
    provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
      const owner = payloads.owner(uri);
      const top = new vscode.Range(0, 0, 0, 0);
      const lens = (command: string, title: string, argument: object): vscode.CodeLens =>
        new vscode.CodeLens(top, { command, title, arguments: [argument] });
      const file = uri.toString();
      return [
        lens(commandIds.runFile, `$(play) ${t('Run')}`, { file }),
        lens(commandIds.runFile, `$(radio-tower) ${t('Run with Webhook')}`, { file, webhook: true }),
        ...(owner ? [lens(commandIds.openPayload, t('Payloads…'), { ...owner, name: '' })] : []),
      ];
    },
    /** Nothing for a document that is no payload of an app. */
    async provideCompletionItems(document: vscode.TextDocument, at: vscode.Position) {
      const owner = payloads.owner(document.uri);
      return owner === undefined
        ? []
        : payloadCompletion(document, at, new RecentValues(await recent(owner)));
    },
  };
}
