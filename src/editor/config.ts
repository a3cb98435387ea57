import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Service } from '../model/service/endpoints.ts';
import { readRoutes, type RoutePlace, type RoutePlaces } from '../model/routes/routePlaces.ts';
import { appName, type Project, readProjects } from '../model/projects/project.ts';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { settingIds } from './ids.ts';

type SettingId = (typeof settingIds)[keyof typeof settingIds];

/** The value of a setting. Users edit settings by hand: an invalid value counts as not set. */
function get<const Schema extends v.GenericSchema>(
  id: SettingId,
  schema: Schema,
  fallback: v.InferOutput<Schema>,
): v.InferOutput<Schema> {
  const read = v.safeParse(schema, vscode.workspace.getConfiguration('runhook').get(id));
  return read.success ? read.output : fallback;
}

const text = v.pipe(v.string(), v.trim());
const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' ? value.trim() : otherwise;
const flag = v.boolean();
const wholeFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));
const port = v.pipe(wholeFrom(0), v.maxValue(65535));

/** An address setting: the user's value, and the effective one, since a trusted workspace may override it. */
function sharedAddress(id: SettingId) {
  const found = vscode.workspace.getConfiguration('runhook').inspect(id);
  const ofUser = textOr(found?.globalValue, '');
  return { ofUser, holds: vscode.workspace.isTrusted ? textOr(found?.workspaceValue, ofUser) : ofUser };
}

/** The folders with settings of their own. Empty if a single folder is open: its settings are the workspace's. */
export function severalFolders(): readonly vscode.WorkspaceFolder[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile === undefined ? [] : workspaceFolders;
}

function inFolder({ uri }: vscode.WorkspaceFolder, id: SettingId): unknown {
  return vscode.workspace.getConfiguration('runhook', uri).inspect(id)?.workspaceFolderValue;
}

function routePlace(forwardTo: unknown, routes: unknown): RoutePlace {
  return {
    ...(typeof forwardTo === 'string' && { forwardTo: forwardTo.trim() }),
    routes: readRoutes(routes),
  };
}

/** The setting `runhook.projects` of each scope, as it was written. */
export interface ProjectLists {
  ofUser: unknown;
  workspace: unknown;
  /** The lists of the folders of a multi-root workspace. */
  folders: readonly { folder: vscode.WorkspaceFolder; list: unknown }[];
}

/** The settings, read on each access. Types, limits and defaults match package.json. */
export const config = {
  /** The addresses for projects without their own. `Projects` resolves the addresses of a project. */
  defaultService: (): Service => ({
    baseUrl: get(settingIds.baseUrl, text, ''),
    proxyUrl: get(settingIds.proxyUrl, text, ''),
  }),
  /** The lists of the setting `runhook.projects`. */
  projectLists(): ProjectLists {
    const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
    const folders = severalFolders().map((folder) => ({
      folder,
      list: inFolder(folder, settingIds.projects),
    }));
    return { ofUser: found?.globalValue, workspace: found?.workspaceValue, folders };
  },
  /** The projects of the user, the workspace and its folders. */
  projects(): Project[] {
    const { ofUser, workspace, folders } = config.projectLists();
    return [ofUser, workspace, ...folders.map(({ list }) => list)].flatMap(readProjects);
  },
  /** The dashboard page on which tokens are created. */
  dashboardUrl: () => {
    const { ofUser, holds } = sharedAddress(settingIds.dashboardUrl);
    return { ofUser, holds: holds === '' ? ofUser : holds };
  },
  listenerPort: () => get(settingIds.listenerPort, port, 0),
  publicUrl: () => get(settingIds.listenerPublicUrl, text, ''),
  timestampToleranceSeconds: () => get(settingIds.listenerTimestampToleranceSeconds, wholeFrom(0), 300),
  acceptUnverified: () => get(settingIds.listenerAcceptUnverified, flag, false),
  acceptLocalCertificates: () => get(settingIds.listenerAcceptLocalCertificates, flag, false),
  maxBodyBytes: () => get(settingIds.listenerMaxBodyBytes, wholeFrom(1), 10 * 1024 * 1024),
  /** The forward settings of each scope: where deliveries go. */
  routePlaces(): RoutePlaces {
    const settings = vscode.workspace.getConfiguration('runhook');
    const to = settings.inspect(settingIds.listenerForwardTo);
    const routes = settings.inspect(settingIds.listenerRoutes);
    const ofUser = { ...routePlace(to?.globalValue, routes?.globalValue), isOfUser: true as const };
    const folders = config.projectLists().folders.map(({ folder, list }) => ({
      ...routePlace(
        inFolder(folder, settingIds.listenerForwardTo),
        inFolder(folder, settingIds.listenerRoutes),
      ),
      folder: { name: folder.name, index: folder.index },
      appNames: readProjects(list).flatMap(({ apps }) => apps.map(appName)),
    }));
    const workspace = routePlace(to?.workspaceValue, routes?.workspaceValue);
    return { isTrusted: vscode.workspace.isTrusted, ofUser, workspace, folders };
  },
  forwardMode: () => get(settingIds.listenerForwardMode, v.picklist(['afterAck', 'passThrough']), 'afterAck'),
  keepAliveSeconds: () => get(settingIds.listenerKeepAliveSeconds, wholeFrom(0), 60),
  deliveriesKeep: () => get(settingIds.deliveriesKeep, wholeFrom(1), 1000),
  /** The setting for the payload folder of a workspace folder, as it was written. */
  payloadFolder: (folder: vscode.WorkspaceFolder): string => {
    const written: unknown = vscode.workspace
      .getConfiguration('runhook', folder)
      .get(settingIds.payloadFolder);
    return textOr(written, '');
  },
  expiryWarningDays: () => get(settingIds.keysExpiryWarningDays, wholeFrom(0), 14),
  httpTransport: () => get(settingIds.httpTransport, v.picklist(['undici', 'editor']), 'undici'),
  httpTimeoutSeconds: () => get(settingIds.httpTimeoutSeconds, v.pipe(v.number(), v.minValue(1)), 30),
  tunnelProvider: () =>
    get(settingIds.tunnelProvider, v.picklist(['auto', 'cloudflared', 'ngrok', 'codespaces']), 'auto'),
  tunnelCommand: () => get(settingIds.tunnelCommand, text, ''),
  sandboxApps: () => get(settingIds.sandboxApps, v.record(v.string(), v.string()), {}),
};

/** Writes a setting, in the folder if one is given. @throws UserError if the editor cannot write it */
export async function writeSetting(
  id: SettingId,
  value: unknown,
  target: vscode.ConfigurationTarget,
  folder?: vscode.WorkspaceFolder,
): Promise<void> {
  try {
    await vscode.workspace.getConfiguration('runhook', folder).update(id, value, target);
  } catch (error) {
    const message = t(
      'The setting "{0}" could not be written. Look for mistakes in the settings file, and whether it can be written.',
      `runhook.${id}`,
    );
    throw new UserError(message, { cause: error, remedies: [{ kind: 'openSettings', ids: [id] }] });
  }
}

/** Calls back when a setting changes, or when folders are added or removed, which may change their settings. */
export function onConfigChange(ids: readonly SettingId[], callback: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (ids.some((id) => event.affectsConfiguration(`runhook.${id}`))) callback();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => callback()),
  );
}
