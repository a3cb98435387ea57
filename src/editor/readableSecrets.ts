import type * as vscode from 'vscode';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';

/** Wraps the editor's secret store so that failures, which come from the system's keyring, are readable for users. */
export function readableSecrets(secrets: vscode.SecretStorage): vscode.SecretStorage {
  return {
    keys: () => readable(secrets.keys()),
    get: (key) => readable(secrets.get(key)),
    store: (key, value) => readable(secrets.store(key, value)),
    delete: (key) => readable(secrets.delete(key)),
    onDidChange: secrets.onDidChange,
  };
}

async function readable<T>(operation: Thenable<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    const message = t(
      'The secret store of the editor does not answer. Is the keyring of this system unlocked?',
    );
    throw new UserError(message, { cause: error, remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] });
  }
}
