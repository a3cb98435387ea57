import type * as vscode from 'vscode';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { Destinations } from './destinations.ts';
import { Listener } from './listener.ts';
import { listenerFolder } from './hasListened.ts';
import type { WebhookSecrets } from './secrets/webhookSecrets.ts';

/** The listener of this window. */
export function createListener(
  context: vscode.ExtensionContext,
  secrets: WebhookSecrets,
  prompts: Prompts,
  log: Log,
): Listener {
  return new Listener({
    entry: context.asAbsolutePath('dist/runhook.js'),
    folder: listenerFolder(context),
    version: String((context.extension.packageJSON as { version: unknown }).version),
    memento: context.workspaceState,
    secrets,
    destinations: new Destinations(context.workspaceState, prompts),
    log,
  });
}
