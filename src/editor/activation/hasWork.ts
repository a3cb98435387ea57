import * as vscode from 'vscode';
import { settingIds } from '../ids.ts';
import { hasListened } from '../listener/hasListened.ts';
import { expiresSoon } from '../projects/keys/expiresSoon.ts';
import { RememberedSandbox } from '../sandbox/rememberedSandbox.ts';

/** An address that tokens would go to unencrypted, as settings hold it. */
const inClear = /"http:\/\/(?!127\.|localhost|\[::1\])/i;

/** Whether Runhook has something to do in this window before anybody asks for it, by what is remembered and set. */
export function hasWork(context: vscode.ExtensionContext, now: number): boolean {
  const settings = vscode.workspace.getConfiguration('runhook');
  const addresses = [settingIds.baseUrl, settingIds.proxyUrl, settingIds.projects].map((id) =>
    settings.get(id),
  );
  return (
    hasListened(context) ||
    new RememberedSandbox(context.workspaceState).ran ||
    expiresSoon(context.globalState, now, settings.get<number>(settingIds.keysExpiryWarningDays, 14)) ||
    inClear.test(JSON.stringify(addresses))
  );
}

/** Calls back where a file of a folder is open, or is opened, while a token or a webhook secret is held that it might contain. */
export function whenLeakIsPossible(secrets: vscode.SecretStorage, callback: () => void): vscode.Disposable {
  let isAsking = false;
  const look = async ({ uri }: vscode.TextDocument): Promise<void> => {
    if (isAsking || uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    isAsking = true;
    const isHeld = (await secrets.keys()).length > 0;
    // Where nothing is held, the next file asks again: another window may have stored something.
    isAsking = false;
    if (!isHeld) return;
    opened.dispose();
    callback();
  };
  // A store that cannot be read holds nothing that could be compared.
  const lookQuietly = (document: vscode.TextDocument): void => void look(document).catch(() => undefined);
  const opened = vscode.workspace.onDidOpenTextDocument(lookQuietly);
  vscode.workspace.textDocuments.forEach(lookQuietly);
  return opened;
}
