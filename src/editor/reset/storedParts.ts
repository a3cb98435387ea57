import type * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import type { Tokens } from '../projects/feature.ts';
import type { Erasable } from './resetCommand.ts';

/** Who stores something. */
export interface StoringParts {
  context: vscode.ExtensionContext;
  sandbox: { stop(): Promise<void> };
  listener: Listener;
  tokens: Tokens;
  secrets: WebhookSecrets;
  run: { erase(): Promise<void> };
}

/** All that is stored: first what still writes is stopped, last what no owner has removed is swept up. */
export function storedParts(parts: StoringParts): Erasable[] {
  const { context, sandbox, listener, tokens, secrets, run } = parts;
  return [
    { what: t('the sandbox'), erase: () => sandbox.stop() },
    {
      what: t('the deliveries'),
      erase: async () => {
        await listener.stop();
        await listener.clear();
        // Clearing has started the program once more.
        await listener.stop();
      },
    },
    { what: t('the payloads and runs'), erase: () => run.erase() },
    {
      what: t('the tokens'),
      erase: async () => {
        await tokens.deleteAll(() => true);
        await sweepSecrets(context.secrets);
      },
    },
    { what: t('the webhook secrets'), erase: async () => (await secrets.store()).erase() },
    { what: t('what was remembered of this folder'), erase: () => sweep(context.workspaceState) },
    { what: t('what was remembered on this machine'), erase: () => sweep(context.globalState) },
  ];
}

async function sweep(memento: vscode.Memento): Promise<void> {
  for (const key of memento.keys()) await memento.update(key, undefined);
}

async function sweepSecrets(storage: vscode.SecretStorage): Promise<void> {
  for (const key of await storage.keys()) await storage.delete(key);
}
