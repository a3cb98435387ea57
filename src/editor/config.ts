import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Service } from '../model/service/endpoints.ts';
import { type Project, readProjects } from '../model/projects/project.ts';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { settingIds } from './ids.ts';

type SettingId = (typeof settingIds)[keyof typeof settingIds];

/** The value of a setting. People edit settings by hand: one that does not fit counts as not set. */
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

/** An address: what the user sets, and what holds, since a trusted workspace may set another. */
function sharedAddress(id: SettingId) {
  const found = vscode.workspace.getConfiguration('runhook').inspect(id);
  const ofUser = textOr(found?.globalValue, '');
  return { ofUser, holds: vscode.workspace.isTrusted ? textOr(found?.workspaceValue, ofUser) : ofUser };
}

/** The settings, read when asked for. Types, limits and defaults are those of package.json. */
export const config = {
  /** The addresses of projects that have none of their own. `Projects` says which a project has. */
  defaultService: (): Service => ({
    baseUrl: get(settingIds.baseUrl, text, ''),
    proxyUrl: get(settingIds.proxyUrl, text, ''),
  }),
  /** Those of the user and those of the workspace. */
  projects(): Project[] {
    const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
    return [found?.globalValue, found?.workspaceFolderValue ?? found?.workspaceValue].flatMap(readProjects);
  },
  /** The page of the dashboard where tokens are made. */
  dashboardUrl: () => {
    const { ofUser, holds } = sharedAddress(settingIds.dashboardUrl);
    return { ofUser, holds: holds === '' ? ofUser : holds };
  },
  listenerPort: () => get(settingIds.listenerPort, port, 0),
  publicUrl: () => get(settingIds.listenerPublicUrl, text, ''),
  timestampToleranceSeconds: () => get(settingIds.listenerTimestampToleranceSeconds, wholeFrom(0), 300),
  acceptUnverified: () => get(settingIds.listenerAcceptUnverified, flag, false),
  maxBodyBytes: () => get(settingIds.listenerMaxBodyBytes, wholeFrom(1), 10 * 1024 * 1024),
  /** The local app's. */
  forwardTo: () => sharedAddress(settingIds.listenerForwardTo),
  forwardMode: () => get(settingIds.listenerForwardMode, v.picklist(['afterAck', 'passThrough']), 'afterAck'),
  keepAliveSeconds: () => get(settingIds.listenerKeepAliveSeconds, wholeFrom(0), 60),
  deliveriesKeep: () => get(settingIds.deliveriesKeep, wholeFrom(1), 1000),
  expiryWarningDays: () => get(settingIds.keysExpiryWarningDays, wholeFrom(0), 14),
  httpTransport: () => get(settingIds.httpTransport, v.picklist(['undici', 'editor']), 'undici'),
  httpTimeoutSeconds: () => get(settingIds.httpTimeoutSeconds, v.pipe(v.number(), v.minValue(1)), 30),
  tunnelProvider: () =>
    get(settingIds.tunnelProvider, v.picklist(['auto', 'cloudflared', 'ngrok', 'codespaces']), 'auto'),
  tunnelCommand: () => get(settingIds.tunnelCommand, text, ''),
  sandboxApps: () => get(settingIds.sandboxApps, v.record(v.string(), v.string()), {}),
};

/** Writes a setting. @throws UserError where the editor does not take it */
export async function writeSetting(
  id: SettingId,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  try {
    await vscode.workspace.getConfiguration('runhook').update(id, value, target);
  } catch (error) {
    const message = t(
      'The setting "{0}" could not be written. Look for mistakes in the settings file, and whether it can be written.',
      `runhook.${id}`,
    );
    throw new UserError(message, { cause: error });
  }
}

/** Calls back when one of the settings changes. */
export function onConfigChange(ids: readonly SettingId[], callback: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(`runhook.${id}`))) callback();
  });
}
