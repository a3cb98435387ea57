import type * as vscode from 'vscode';

/** The log channel *Runhook*: diagnostics, never a token or a secret. */
export type Log = vscode.LogOutputChannel;

/** Logs an error, with its stack if it has one. */
export function logError(log: Log, error: unknown): void {
  log.error(error instanceof Error ? error : String(error));
}
