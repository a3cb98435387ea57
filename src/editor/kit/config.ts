import * as v from 'valibot';
import * as vscode from 'vscode';
import { ReadOnce } from '../../shared/async/loadOnce.ts';
import { mostBodyBytes } from '../../deliveries/listenerProtocol.ts';
import { ListedProjects, type ProjectLists } from '../../service/projects/listedProjects.ts';
import { appName, type Project } from '../../service/projects/project.ts';
import {
  mostSharedRoutes,
  readRoutes,
  type RoutePlace,
  type RoutePlaces,
} from '../../deliveries/routes/routesThatCount.ts';
import type { Service } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { settingIds } from './ids.ts';

type SettingId = (typeof settingIds)[keyof typeof settingIds];

/** What `inspect` of the editor gives for a setting. It clones all of it, each time. */
type Inspected = ReturnType<vscode.WorkspaceConfiguration['inspect']>;

/** The settings as they were read, until one of them changes: views ask for some of them for each row. */
const settings = new ReadOnce();
const readAgain = (): void => settings.forget();
// Registered before all other listeners: these read the settings as they are by then.
vscode.workspace.onDidChangeConfiguration(readAgain);
vscode.workspace.onDidChangeWorkspaceFolders(readAgain);
vscode.workspace.onDidGrantWorkspaceTrust(readAgain);

/** The values of a setting in all places, for the workspace or one folder. */
function inspected(id: SettingId, folder?: vscode.WorkspaceFolder): Inspected {
  return settings.of(JSON.stringify([id, folder?.uri.toString()]), () =>
    vscode.workspace.getConfiguration('runhook', folder).inspect(id),
  );
}

/** The value of a setting. Users edit settings by hand: an invalid value counts as not set. */
function get<const Schema extends v.GenericSchema>(
  id: SettingId,
  schema: Schema,
  fallback: v.InferOutput<Schema>,
): v.InferOutput<Schema> {
  return settings.of(`get ${id}`, () => {
    const read = v.safeParse(schema, vscode.workspace.getConfiguration('runhook').get(id));
    return read.success ? read.output : fallback;
  });
}

const text = v.pipe(v.string(), v.trim());
const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' ? value.trim() : otherwise;
const flag = v.boolean();
const wholeFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));
const port = v.pipe(wholeFrom(0), v.maxValue(65535));

/** An address setting: the user's value, and the effective one, since a trusted workspace may override it. */
function sharedAddress(id: SettingId) {
  const found = inspected(id);
  const ofUser = textOr(found?.globalValue, '');
  return { ofUser, holds: vscode.workspace.isTrusted ? textOr(found?.workspaceValue, ofUser) : ofUser };
}

/** The folders with settings of their own. Empty if a single folder is open: its settings are the workspace's. */
export function severalFolders(): readonly vscode.WorkspaceFolder[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile === undefined ? [] : workspaceFolders;
}

function inFolder(folder: vscode.WorkspaceFolder, id: SettingId): unknown {
  return inspected(id, folder)?.workspaceFolderValue;
}

function routePlace(forwardTo: unknown, routes: ReadonlyMap<string, string>): RoutePlace {
  return { ...(typeof forwardTo === 'string' && { forwardTo: forwardTo.trim() }), routes };
}

/** A place of the settings that others may share. */
export type SharedPlace = 'workspace' | vscode.WorkspaceFolder;

/** The settings, as they are on each access. Types, limits and defaults match package.json. */
export const config = {
  /** The addresses for projects without their own. `Projects` resolves the addresses of a project. */
  defaultService: (): Service => ({
    baseUrl: get(settingIds.baseUrl, text, ''),
    proxyUrl: get(settingIds.proxyUrl, text, ''),
  }),
  /** The lists of the setting `runhook.projects`, as they were written. */
  projectLists(): ProjectLists<SharedPlace> {
    const found = inspected(settingIds.projects);
    const folders = severalFolders().map((folder) => ({
      place: folder,
      list: inFolder(folder, settingIds.projects),
    }));
    return {
      ofUser: found?.globalValue,
      shared: [{ place: 'workspace', list: found?.workspaceValue }, ...folders],
    };
  },
  /** The projects in these lists. The same object until a setting changes. */
  listedProjects: (): ListedProjects<SharedPlace> =>
    settings.of('listedProjects', () => new ListedProjects(config.projectLists())),
  /** The projects of the user, the workspace and its folders. */
  projects: (): readonly Project[] => config.listedProjects().all,
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
  maxBodyBytes: () =>
    Math.min(mostBodyBytes, get(settingIds.listenerMaxBodyBytes, wholeFrom(1), 10 * 1024 * 1024)),
  /** The forward settings of each scope: where deliveries go. The same object until a setting changes. */
  routePlaces: (): RoutePlaces => settings.of('routePlaces', readRoutePlaces),
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
    get(
      settingIds.tunnelProvider,
      v.picklist(['auto', 'cloudflared', 'ngrok', 'codespaces', 'relay']),
      'auto',
    ),
  tunnelCommand: () => get(settingIds.tunnelCommand, text, ''),
  /** The user's alone: what is sent there reaches this machine. */
  relayUrl: () => get(settingIds.relayUrl, text, ''),
  sandboxApps: () => get(settingIds.sandboxApps, v.record(v.string(), v.string()), {}),
};

function readRoutePlaces(): RoutePlaces {
  const to = inspected(settingIds.listenerForwardTo);
  const routes = inspected(settingIds.listenerRoutes);
  const ofUser = {
    ...routePlace(to?.globalValue, readRoutes(routes?.globalValue).routes),
    isOfUser: true as const,
  };
  // guard S48: Only a bounded part of the lists of a workspace is read.
  let left = mostSharedRoutes;
  let leftOut = 0;
  const shared = (forwardTo: unknown, written: unknown): RoutePlace => {
    const read = readRoutes(written, left);
    left -= read.routes.size;
    leftOut += read.leftOut;
    return routePlace(forwardTo, read.routes);
  };
  const workspace = shared(to?.workspaceValue, routes?.workspaceValue);
  const folders = config.listedProjects().shared.flatMap(({ place, projects }) =>
    place === 'workspace'
      ? []
      : {
          ...shared(
            inFolder(place, settingIds.listenerForwardTo),
            inFolder(place, settingIds.listenerRoutes),
          ),
          folder: { name: place.name, index: place.index },
          appNames: projects.flatMap(({ apps }) => apps.map(appName)),
        },
  );
  return { isTrusted: vscode.workspace.isTrusted, ofUser, workspace, folders, leftOut };
}

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
      'The setting "{0}" could not be written. Check the settings file for mistakes, and whether it is write-protected.',
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
