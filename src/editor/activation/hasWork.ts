import * as vscode from 'vscode';
import { contextIds, rememberedSandbox, settingIds } from '../ids.ts';
import { hasListened } from '../listener/hasListened.ts';
import { expiresSoon } from '../projects/keys/rememberedExpiry.ts';
import { ownerOf } from '../projects/tokens/tokens.ts';

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
    context.workspaceState.get<boolean>(rememberedSandbox.ran) === true ||
    expiresSoon(context.globalState, now, settings.get<number>(settingIds.keysExpiryWarningDays, 14)) ||
    inClear.test(JSON.stringify(addresses))
  );
}

/**
 * Has the palette offer what is for projects where there are some, though nothing is loaded yet, and the walkthrough
 * know of them and of their tokens.
 */
export function tellOfProjects(state: vscode.Memento): void {
  const { workspaceFolders = [] } = vscode.workspace;
  // Those of an only folder are those of the workspace.
  const scopes = workspaceFolders.length > 1 ? workspaceFolders : [undefined];
  const ids = scopes.flatMap((folder) => {
    const projects = vscode.workspace.getConfiguration('runhook', folder).get<unknown>(settingIds.projects);
    return Array.isArray(projects) ? projects.map((project: { id?: unknown } | null) => project?.id) : [];
  });
  void vscode.commands.executeCommand('setContext', contextIds.projectAdded, ids.length > 0);
  if (hasTokenOf(ids, state)) {
    void vscode.commands.executeCommand('setContext', contextIds.tokenSet, true);
  }
}

/** Whether a token was set for one of these projects: the sandbox has some too, which nobody has set. */
export function hasTokenOf(projectIds: readonly unknown[], state: vscode.Memento): boolean {
  return state.keys().some((key) => {
    const owner = ownerOf(key);
    return owner !== undefined && projectIds.includes(owner.projectId);
  });
}

/** Calls back where a file of a folder is open, or is opened, while a token or a webhook secret is held that it might contain. */
export function whenLeakIsPossible(secrets: vscode.SecretStorage, callback: () => void): vscode.Disposable {
  let isAsking = false;
  const look = async ({ uri }: vscode.TextDocument): Promise<void> => {
    if (isAsking || uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    isAsking = true;
    // Where nothing is held, or the store cannot be read, the next file asks again.
    const held = await secrets.keys().then(
      (keys) => keys.length,
      () => 0,
    );
    isAsking = false;
    if (held === 0) return;
    opened.dispose();
    callback();
  };
  const opened = vscode.workspace.onDidOpenTextDocument((document) => void look(document));
  vscode.workspace.textDocuments.forEach((document) => void look(document));
  return opened;
}
