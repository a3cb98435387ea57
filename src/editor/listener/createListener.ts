import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { Destinations } from './destinations.ts';
import { Listener } from './listener.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/** The listener of this window: its deliveries are the folder's, or the user's where no folder is open. */
export function createListener(
  context: vscode.ExtensionContext,
  secrets: WebhookSecrets,
  prompts: Prompts,
  log: Log,
): Listener {
  const storage = context.storageUri ?? context.globalStorageUri;
  return new Listener({
    workerFile: context.asAbsolutePath('dist/listener.worker.js'),
    folder: join(storage.fsPath, 'deliveries'),
    memento: context.workspaceState,
    secrets,
    destinations: new Destinations(context.workspaceState, prompts),
    log,
  });
}
