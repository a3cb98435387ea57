import * as vscode from 'vscode';
import type { Log } from './log.ts';

/** Loads what activation can do without; it is disposed of with the rest. */
export function afterActivation(load: () => Promise<{ dispose(): unknown }>, log: Log): vscode.Disposable {
  const loading = load().catch((error: unknown) => {
    log.error(String(error));
    return undefined;
  });
  return new vscode.Disposable(() => void loading.then((part) => part?.dispose()));
}
