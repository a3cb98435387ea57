import * as vscode from 'vscode';

/** The log channel *Runhook*: diagnostics, never a token or a secret. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Runhook', { log: true });
}
