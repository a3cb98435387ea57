import type * as vscode from 'vscode';
import type { SecretScope } from '../../model/secrets/webhookSecret.ts';

/** The part of the webhook secrets that the Projects view uses. */
export interface ProjectSecrets {
  readonly onDidChange: vscode.Event<void>;
  store(): Promise<{
    /** The projects and apps that have their own webhook secret. */
    ownScopes(): Promise<SecretScope[]>;
    removeProject(projectId: string): Promise<void>;
    remove(scope: SecretScope): Promise<void>;
    /** Moves a renamed app's own secret to its new name. */
    move(from: SecretScope, to: SecretScope): Promise<void>;
  }>;
}
