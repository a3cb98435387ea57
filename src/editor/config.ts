import * as vscode from 'vscode';
import type { Service } from '../model/endpoints.ts';
import { type Project, readProjects } from '../model/project.ts';
import { settingIds } from './ids.ts';

type SettingId = (typeof settingIds)[keyof typeof settingIds];

function get<T>(id: SettingId, fallback: T): T {
  return vscode.workspace.getConfiguration('runhook').get<T>(id) ?? fallback;
}

/** The settings, read when asked for. Types and defaults are those of package.json. */
export const config = {
  service: (): Service => ({
    baseUrl: get(settingIds.baseUrl, ''),
    proxyUrl: get(settingIds.proxyUrl, ''),
  }),
  projects: (): Project[] => readProjects(get<unknown>(settingIds.projects, [])),
  listenerPort: () => get(settingIds.listenerPort, 0),
  publicUrl: () => get(settingIds.listenerPublicUrl, ''),
  timestampToleranceSeconds: () => get(settingIds.listenerTimestampToleranceSeconds, 300),
  acceptUnverified: () => get(settingIds.listenerAcceptUnverified, false),
  maxBodyBytes: () => get(settingIds.listenerMaxBodyBytes, 10 * 1024 * 1024),
  /** Empty while the workspace is not trusted: a cloned repository must not forward a delivery elsewhere. */
  forwardTo: () => (vscode.workspace.isTrusted ? get(settingIds.listenerForwardTo, '') : ''),
  forwardMode: () => get<'afterAck' | 'passThrough'>(settingIds.listenerForwardMode, 'afterAck'),
  deliveriesKeep: () => get(settingIds.deliveriesKeep, 1000),
  expiryWarningDays: () => get(settingIds.keysExpiryWarningDays, 14),
  httpTransport: () => get<'undici' | 'editor'>(settingIds.httpTransport, 'undici'),
  httpTimeoutSeconds: () => get(settingIds.httpTimeoutSeconds, 30),
  sandboxApps: () => get<Record<string, string>>(settingIds.sandboxApps, {}),
  sandboxAutoStart: () => get(settingIds.sandboxAutoStart, false),
};

/** Calls back when one of the settings changes; ids without the leading `runhook.`. */
export function onConfigChange(ids: readonly SettingId[], callback: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(`runhook.${id}`))) callback();
  });
}
