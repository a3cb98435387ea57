import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';
import { type PayloadStore, payloadSuffix } from './payloadStore.ts';

/** The links at the top of a payload document. */
export class PayloadLenses implements vscode.CodeLensProvider {
  readonly #payloads: PayloadStore;

  constructor(payloads: PayloadStore) {
    this.#payloads = payloads;
  }

  register(): vscode.Disposable {
    return vscode.languages.registerCodeLensProvider({ pattern: `**/*${payloadSuffix}` }, this);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const owner = this.#payloads.owner(uri);
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (command: string, title: string, argument: object): vscode.CodeLens =>
      new vscode.CodeLens(top, { command, title, arguments: [argument] });
    const file = uri.toString();
    return [
      lens(commandIds.runFile, `$(play) ${vscode.l10n.t('Run')}`, { file }),
      lens(commandIds.runFile, `$(radio-tower) ${vscode.l10n.t('Run with Webhook')}`, {
        file,
        webhook: true,
      }),
      ...(owner ? [lens(commandIds.openPayload, vscode.l10n.t('Payloads…'), { ...owner, name: '' })] : []),
    ];
  }
}
