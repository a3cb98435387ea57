import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../shared/async/clock.ts';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { contextIds, rememberedSandbox, settingIds } from '../kit/ids.ts';
import { hasListened } from '../listener/hasListened.ts';
import { needLook } from '../projects/knownKeys.ts';
import { ownerOf } from '../projects/tokens.ts';

/** Matches an address in the settings to which tokens would be sent unencrypted. */
const unencryptedAddress = /"http:\/\/(?!127\.|localhost|\[::1\])/i;

/** Whether Runhook has work to do before the user asks for any, judging by remembered state and settings. */
export function hasWork(context: vscode.ExtensionContext, now: number): boolean {
  const settings = vscode.workspace.getConfiguration('runhook');
  // The lists of a workspace set no address: only those of the user can have one in use.
  const addresses = [settingIds.baseUrl, settingIds.proxyUrl, settingIds.projects].map(
    (id) => settings.inspect(id)?.globalValue,
  );
  return (
    hasListened(context) ||
    context.workspaceState.get<boolean>(rememberedSandbox.ran) === true ||
    needLook(context.globalState, now, settings.get<number>(settingIds.keysExpiryWarningDays, 14)) ||
    unencryptedAddress.test(JSON.stringify(addresses))
  );
}

/**
 * Sets the context keys for projects and their tokens before anything is loaded, so that the palette offers project
 * commands if there are projects, and the walkthrough checks off its steps.
 */
export function tellOfProjects(state: vscode.Memento): void {
  const { workspaceFolders = [] } = vscode.workspace;
  // The settings of a single folder are those of the workspace.
  const scopes = workspaceFolders.length > 1 ? workspaceFolders : [undefined];
  const ids = scopes.flatMap((folder) => {
    // `get` gives the list in proxies, and a list may be long: `inspect` copies it.
    const found = vscode.workspace.getConfiguration('runhook', folder).inspect<unknown>(settingIds.projects);
    const projects = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    return Array.isArray(projects) ? projects.map((project: { id?: unknown } | null) => project?.id) : [];
  });
  void vscode.commands.executeCommand('setContext', contextIds.projectAdded, ids.length > 0);
  if (hasTokenOf(ids, state)) {
    void vscode.commands.executeCommand('setContext', contextIds.tokenSet, true);
  }
}

/** Whether a token was set for one of these projects, and not only for the sandbox, whose tokens no user sets. */
export function hasTokenOf(projectIds: readonly unknown[], state: vscode.Memento): boolean {
  const known = new Set(projectIds);
  return state.keys().some((key) => {
    const owner = ownerOf(key);
    return owner !== undefined && known.has(owner.projectId);
  });
}

/** Calls back once a file of a workspace folder is open while a token or secret is held that it might contain. */
export function whenLeakIsPossible(secrets: vscode.SecretStorage, callback: () => void): vscode.Disposable {
  let isAsking = false;
  const look = async ({ uri }: vscode.TextDocument): Promise<void> => {
    if (isAsking || uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    isAsking = true;
    // If nothing is held, or the store cannot be read, the next file asks again.
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

/** How long a window that has just started is left alone, in milliseconds. */
const searchDelayMs = 1000;

/**
 * Calls back once if the workspace has a fixture, or one is opened, since fixtures are shown as tests. Costs other
 * workspaces a single search, which ends with the first file found. The search starts a process, which blocks the
 * extension host for some 10 ms, so it waits until the window has started.
 */
export function whenFixture(callback: () => void, clock: Clock = systemClock): vscode.Disposable {
  const end = new vscode.CancellationTokenSource();
  const found = (): void => {
    if (end.token.isCancellationRequested) return;
    look.dispose();
    callback();
  };
  const opened = vscode.workspace.onDidOpenTextDocument((document) => {
    if (vscode.languages.match({ pattern: fixtureGlob }, document) > 0) found();
  });
  const search = (): void =>
    void vscode.workspace.findFiles(fixtureGlob, '**/{node_modules,.git}/**', 1, end.token).then(
      ({ length }) => {
        if (length > 0) found();
      },
      (error: unknown) => console.error(error),
    );
  const cancelSearch = clock.after(searchDelayMs, search);
  const look = new vscode.Disposable(() => {
    cancelSearch();
    end.cancel();
    opened.dispose();
  });
  return look;
}
