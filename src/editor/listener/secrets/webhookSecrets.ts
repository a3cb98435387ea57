import type * as vscode from 'vscode';
import type { Project } from '../../../service/projects/project.ts';
import { loadOnce } from '../../../shared/async/loadOnce.ts';
import { scopeOfKey } from '../../../service/signature/webhookSecret.ts';
import type { WebhookSecretStore } from './webhookSecretStore.ts';

/** The webhook secrets, for features that activation registers. Their store is loaded on first use. */
export interface WebhookSecrets {
  store(): Promise<WebhookSecretStore>;
  /** Fires when this window or another one has changed the secrets. */
  onDidChange: vscode.Event<void>;
}

export function webhookSecrets(
  storage: vscode.SecretStorage,
  projects: { all(): readonly Project[] },
): WebhookSecrets {
  return {
    store: loadOnce(async () => {
      const { WebhookSecretStore } = await import('./webhookSecretStore.ts');
      return new WebhookSecretStore(storage, projects, Date.now);
    }),
    onDidChange: (callback) =>
      storage.onDidChange(({ key }) => {
        if (scopeOfKey(key) !== undefined) callback();
      }),
  };
}
