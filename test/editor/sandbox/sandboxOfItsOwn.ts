import * as vscode from 'vscode';
import { Sandbox } from '../../../src/editor/sandbox/sandbox.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';

/** The bundle of the sandbox's thread. */
export function sandboxWorker(): string {
  const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
  return vscode.Uri.joinPath(extensionUri, 'dist', 'sandbox.worker.js').fsPath;
}

/**
 * The sandbox as the extension builds it, in a thread of its own. Unlike the window's it is in no tree and no
 * store, and its token is the test's to use.
 */
export function sandboxOfItsOwn(
  log: vscode.LogOutputChannel,
  worker = sandboxWorker(),
  memento: vscode.Memento = new MemoryMemento(),
  secrets: vscode.SecretStorage = new MemorySecrets(),
): Sandbox {
  return new Sandbox({ workerPath: worker, apps: () => ({}), memento, secrets, log });
}
