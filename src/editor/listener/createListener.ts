import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { Destinations } from './destinations.ts';
import { Listener } from './listener.ts';
import { sharedStorage } from '../../client/program/sharedStorage.ts';
import type { WebhookSecrets } from './secrets/webhookSecrets.ts';

/** The listener of this window: its deliveries are the folder's, or the user's where no folder is open. */
export function createListener(
  context: vscode.ExtensionContext,
  secrets: WebhookSecrets,
  prompts: Prompts,
  log: Log,
): Listener {
  const storage = context.storageUri ?? context.globalStorageUri;
  return new Listener({
    entry: context.asAbsolutePath('dist/runhook.js'),
    folder: sharedStorage(storage.fsPath, existsSync),
    version: String((context.extension.packageJSON as { version: unknown }).version),
    memento: context.workspaceState,
    secrets,
    destinations: new Destinations(context.workspaceState, prompts),
    log,
  });
}
