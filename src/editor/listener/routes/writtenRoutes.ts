import * as vscode from 'vscode';
import { isJsonObject } from '../../../shared/json/jsonObject.ts';
import {
  otherApps,
  type RoutePlace,
  type SetAddress,
  setRoutes,
} from '../../../deliveries/routes/routesThatCount.ts';
import { config, writeSetting } from '../../kit/config.ts';
import { settingIds } from '../../kit/ids.ts';

/** The address set for an app, or for all other apps, as written in the settings. */
export function addressOf(app: string | undefined): string {
  return used(app)?.address ?? '';
}

/**
 * Sets the address of an app, or of all other apps, in the settings scope that sets it now, so that no other scope
 * overrides it. If none does, writes to the workspace that the app belongs to, or to the user settings if there is no
 * trusted workspace.
 * @param address empty to stop forwarding
 * @throws UserError if the editor rejects the change
 */
export async function writeAddress(app: string | undefined, address: string): Promise<void> {
  const { target, folder, place } = placeOf(app);
  const route = app ?? (place?.routes.has(otherApps) === true ? otherApps : undefined);
  if (route === undefined) {
    await writeSetting(settingIds.listenerForwardTo, address, target, folder);
    return;
  }
  const routes = { ...writtenRoutes(target, folder), [route]: address };
  await writeSetting(settingIds.listenerRoutes, routes, target, folder);
}

/**
 * Gives the address of an app that got another name to that name.
 * @param isShared an app of another project has the old name, and the address, too
 */
export async function renameRoute(from: string, to: string, isShared: boolean): Promise<void> {
  const { target, folder, place } = placeOf(from);
  if (place?.routes.has(from) !== true) return;
  const { [from]: address, ...others } = writtenRoutes(target, folder);
  const routes = { ...others, ...(isShared && { [from]: address }), [to]: address };
  await writeSetting(settingIds.listenerRoutes, routes, target, folder);
}

/** The routes in one scope of the settings. */
function writtenRoutes(
  target: vscode.ConfigurationTarget,
  folder: vscode.WorkspaceFolder | undefined,
): Record<string, unknown> {
  const found = vscode.workspace.getConfiguration('runhook', folder).inspect(settingIds.listenerRoutes);
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const ofWorkspace = target === Workspace ? found?.workspaceValue : found?.workspaceFolderValue;
  const written = target === Global ? found?.globalValue : ofWorkspace;
  return isJsonObject(written) ? written : {};
}

interface WrittenPlace {
  target: vscode.ConfigurationTarget;
  folder?: vscode.WorkspaceFolder;
  place?: RoutePlace;
}

function placeOf(app: string | undefined): WrittenPlace {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const place = used(app)?.place;
  if (place === undefined) return { target: isTrusted && workspaceFolders.length > 0 ? Workspace : Global };
  const folder = workspaceFolders.find(({ index }) => index === place.folder?.index);
  if (folder !== undefined) return { target: WorkspaceFolder, folder, place };
  return { target: place.isOfUser === true ? Global : Workspace, place };
}

function used(app: string | undefined): SetAddress | undefined {
  const { apps, rest } = setRoutes(config.routePlaces());
  return app === undefined ? rest : apps.get(app);
}
