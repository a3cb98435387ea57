import type * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/accountRef.ts';
import type { ProjectNode } from './projectNode.ts';

/**
 * The id of an element: the same for the same thing, so that the view keeps its place when it is drawn again,
 * and another one for every other thing.
 */
export function nodeId(node: ProjectNode): string {
  switch (node.kind) {
    case 'project':
      return projectId(node.argument);
    case 'account':
      return accountId(node.argument);
    case 'apps':
      return appsId(node.argument);
    case 'app':
      return join('app', node.argument.projectId, node.argument.appId);
    case 'key':
      return join('key', accountId(node.argument), node.key.id ?? '', node.index);
    case 'more':
      return join('more', accountId(node.argument));
    case 'message':
      return join('message', node.message.kind, parentId(node) ?? '');
    case 'appChild':
      return ownId(node.child.item);
    case 'line':
      return ownId(node.item);
  }
}

/** The id of the element that an element hangs under; undefined for one at the top. */
export function parentId(node: ProjectNode): string | undefined {
  switch (node.kind) {
    case 'project':
    case 'line':
      return undefined;
    case 'account':
    case 'apps':
      return projectId(node.argument);
    case 'app':
      return appsId(node.argument);
    case 'appChild':
      return nodeId(node.parent);
    case 'key':
    case 'more':
      return accountId(node.argument);
    case 'message':
      if ('serviceAccountId' in node.argument) return accountId(node.argument);
      return node.message.kind === 'addApp' ? appsId(node.argument) : projectId(node.argument);
  }
}

/** The id of a service account's element. */
export function accountId(of: AccountRef): string {
  return join('account', of.projectId, of.serviceAccountId);
}

function projectId(of: { projectId: string }): string {
  return join('project', of.projectId);
}

/** The id of the element that a project's apps hang under. */
export function appsId(of: { projectId: string }): string {
  return join('apps', of.projectId);
}

function join(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

function ownId({ id, label }: vscode.TreeItem): string {
  return id ?? join('line', typeof label === 'string' ? label : '');
}
