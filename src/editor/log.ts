import * as vscode from 'vscode';

/** The log channel *Runhook*: diagnostics, never a token or a secret. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Runhook', { log: true });
}

/** Writes an error, with its stack where it has one. */
export function logError(log: Log, error: unknown): void {
  log.error(error instanceof Error ? error : String(error));
}
