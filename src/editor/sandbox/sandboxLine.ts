import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { commandIds } from '../ids.ts';
import type { ViewLines } from '../projects/feature.ts';
import type { Sandbox } from './sandbox.ts';

/** A sandbox that failed, as a line of the Projects view: a click starts it again. */
export class SandboxLine implements ViewLines {
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  get onDidChange(): vscode.Event<unknown> {
    return this.#sandbox.onDidChangeState;
  }

  all(): vscode.TreeItem[] {
    const { state } = this.#sandbox;
    if (state.kind !== 'failed') return [];
    const label = t('Sandbox failed: retry');
    const item = new vscode.TreeItem(label);
    item.id = 'sandboxFailed';
    item.description = plainText(state.reason);
    item.tooltip = `${label}\n${plainText(state.reason, 400)}`;
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.command = { command: commandIds.startSandbox, title: label, arguments: [{ argument: {} }] };
    return [item];
  }
}
