import * as vscode from 'vscode';
import { type Log, logError } from './log.ts';

/** Loads what nobody waits for; it is disposed of with the rest. */
export function inBackground(load: () => Promise<{ dispose(): unknown }>, log: Log): vscode.Disposable {
  const loading = load().catch((error: unknown) => {
    logError(log, error);
    return undefined;
  });
  return new vscode.Disposable(() => void loading.then((part) => part?.dispose()));
}
