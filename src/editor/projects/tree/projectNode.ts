import * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/project.ts';
import type { CarriesArgument } from '../../commands.ts';

/** What an element hands to the commands of its menu. */
export interface NodeArgument {
  projectId?: string;
  serviceAccountId?: string;
  appId?: string;
  appName?: string;
  keyId?: string;
}

/** An element of the Projects view. Its `argument` is that of the commands in its menu. */
export interface ProjectNode extends CarriesArgument {
  kind: 'project' | 'account' | 'apps' | 'app' | 'appChild' | 'key' | 'more' | 'message' | 'line';
  argument: NodeArgument;
  item: vscode.TreeItem;
}

/** A project, a service account, its apps or an app: an element that others hang under. */
export interface Folder extends ProjectNode {
  /** Makes anew what hangs under it. */
  children(): Promise<ProjectNode[]>;
  /** Whether that is on its way, so that what is drawn stays for now. */
  isOnItsWay?(): boolean;
}

/**
 * An element whose id is the same for the same thing, so that the view keeps its place when it is drawn again, and
 * another one for every other thing.
 * @param own tells it from others of its kind that have the same argument
 */
export function projectNode(
  kind: ProjectNode['kind'],
  argument: NodeArgument,
  item: vscode.TreeItem,
  own: string | number = '',
): ProjectNode {
  item.id ??= idOf(kind, argument, own);
  // Without it a screen reader says the tooltip in place of what stands in the row.
  item.accessibilityInformation ??= { label: joined(', ', item.label, item.description) };
  return { kind, argument, item };
}

/** The id of a service account's element. */
export function accountId({ projectId, serviceAccountId }: AccountRef): string {
  return idOf('account', { projectId, serviceAccountId });
}

/** The id of the element that a project's apps hang under. */
export function appsId({ projectId }: { projectId: string }): string {
  return idOf('apps', { projectId });
}

export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Those of the words that are there. */
export function joined(between: string, ...words: unknown[]): string {
  return words.filter((word) => typeof word === 'string' && word !== '').join(between);
}

function idOf(kind: ProjectNode['kind'], argument: NodeArgument, own: string | number = ''): string {
  return JSON.stringify([kind, argument, own]);
}
