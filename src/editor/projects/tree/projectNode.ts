import * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/project.ts';
import { type Row, row } from '../../commands.ts';

/** What an element passes to the commands in its menu. */
export interface NodeArgument {
  projectId?: string;
  serviceAccountId?: string;
  appId?: string;
  appName?: string;
  keyId?: string;
}

/** An element of the Projects view. The commands in its menu get its `argument`. */
export interface ProjectNode extends Row {
  kind: 'project' | 'account' | 'apps' | 'app' | 'appChild' | 'key' | 'more' | 'message' | 'line';
  argument: NodeArgument;
  item: vscode.TreeItem;
}

/** An element that can have children: for instance a project, a service account, the Apps row or an app. */
export interface Folder extends ProjectNode {
  /** Builds its current children. */
  children(): Promise<ProjectNode[]>;
  /** Whether the children have only just started to load: the drawn rows then stay for now. */
  isOnItsWay?(): boolean;
}

/**
 * Builds an element with a stable, unique id, so that the view keeps its place when it redraws the element.
 * @param suffix distinguishes it from others of its kind with the same argument
 */
export function projectNode(
  kind: ProjectNode['kind'],
  argument: NodeArgument,
  item: vscode.TreeItem,
  suffix: string | number = '',
): ProjectNode {
  item.id ??= idOf(kind, argument, suffix);
  // Without this, a screen reader reads the tooltip instead of the row's text.
  item.accessibilityInformation ??= { label: joined(', ', item.label, item.description) };
  return row({ kind, argument, item });
}

/** The id of a service account's element. */
export function accountId({ projectId, serviceAccountId }: AccountRef): string {
  return idOf('account', { projectId, serviceAccountId });
}

/** The id of a project's Apps row. */
export function appsId({ projectId }: { projectId: string }): string {
  return idOf('apps', { projectId });
}

export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Joins the words that are non-empty strings. */
export function joined(separator: string, ...words: unknown[]): string {
  return words.filter((word) => typeof word === 'string' && word !== '').join(separator);
}

function idOf(kind: ProjectNode['kind'], argument: NodeArgument, suffix: string | number = ''): string {
  return JSON.stringify([kind, argument, suffix]);
}
