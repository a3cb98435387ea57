import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { clicked } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { ViewLines } from '../projects/feature.ts';
import type { Sandbox } from './sandbox.ts';

/** A sandbox that failed, as a line of the Projects view: a click starts it again. */
export function sandboxLine(sandbox: Sandbox): ViewLines {
  const all = () => (sandbox.state.kind === 'failed' ? [lineOf(sandbox.state.reason)] : []);
  return { onDidChange: sandbox.onDidChangeState, all };
}

function lineOf(reason: string): vscode.TreeItem {
  const label = t('Sandbox failed: retry');
  const item = new vscode.TreeItem(label);
  item.id = 'sandboxFailed';
  item.description = plainText(reason);
  item.tooltip = `${label}\n${plainText(reason, 400)}`;
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.command = { command: commandIds.startSandbox, title: label, arguments: clicked({}) };
  return item;
}
