import type * as vscode from 'vscode';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';

/** The secret store of the editor, whose failures a user can read: they are those of the system's keyring. */
export function readableSecrets(secrets: vscode.SecretStorage): vscode.SecretStorage {
  return {
    keys: () => readable(secrets.keys()),
    get: (key) => readable(secrets.get(key)),
    store: (key, value) => readable(secrets.store(key, value)),
    delete: (key) => readable(secrets.delete(key)),
    onDidChange: secrets.onDidChange,
  };
}

async function readable<T>(done: Thenable<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const message = t(
      'The secret store of the editor does not answer. Is the keyring of this system unlocked?',
    );
    throw new UserError(message, { cause: error, remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] });
  }
}
