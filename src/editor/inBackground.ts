import * as vscode from 'vscode';
import { type Log, logError } from './log.ts';

/** Loads a part in the background and logs a failure. The result disposes of the part, once it is loaded. */
export function inBackground(load: () => Promise<{ dispose(): unknown }>, log: Log): vscode.Disposable {
  const loading = load().catch((error: unknown) => {
    logError(log, error);
    return undefined;
  });
  return new vscode.Disposable(() => void loading.then((part) => part?.dispose()));
}
