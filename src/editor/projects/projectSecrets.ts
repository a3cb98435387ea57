import type * as vscode from 'vscode';
import type { SecretScope } from '../../model/secrets/webhookSecret.ts';

/** What the Projects view knows of the webhook secrets. */
export interface ProjectSecrets {
  readonly onDidChange: vscode.Event<void>;
  store(): Promise<{
    /** The projects and apps that have one of their own. */
    ownScopes(): Promise<SecretScope[]>;
    removeProject(projectId: string): Promise<void>;
    remove(scope: SecretScope): Promise<void>;
    /** Has an app that was renamed keep its own. */
    move(from: SecretScope, to: SecretScope): Promise<void>;
  }>;
}
