import * as vscode from 'vscode';
import { Sandbox } from '../../../src/editor/sandbox/sandbox.ts';

/**
 * The sandbox as the extension builds it, in a thread of its own. Unlike the window's it is in no tree and no
 * store, and its token is the test's to use.
 */
export function sandboxOfItsOwn(log: vscode.LogOutputChannel): Sandbox {
  const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
  const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'sandbox.worker.js');
  return new Sandbox(worker.fsPath, () => ({}), log);
}
