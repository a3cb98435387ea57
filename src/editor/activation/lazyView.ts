import * as vscode from 'vscode';
import type { CarriesArgument } from '../commands.ts';

/**
 * A view whose rows are loaded when it is first shown. Each row carries an argument: a title command gets the focused
 * row, and would take the row itself for its argument.
 */
export interface LazyView<Node extends CarriesArgument> {
  readonly view: vscode.TreeView<Node>;
  /** Provides the rows. */
  fill(rows: vscode.TreeDataProvider<Node>): void;
  dispose(): void;
}

/** @param load must call `fill` before it resolves */
export function lazyView<Node extends CarriesArgument>(
  id: string,
  options: Omit<vscode.TreeViewOptions<Node>, 'treeDataProvider'>,
  load: () => Promise<unknown>,
): LazyView<Node> {
  const changed = new vscode.EventEmitter<Node | Node[] | undefined>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<vscode.TreeDataProvider<Node>>();
  const rows = () => load().then(() => filled);
  void filled.then(({ onDidChangeTreeData }) =>
    onDidChangeTreeData?.((node) => changed.fire(node ?? undefined)),
  );
  const treeDataProvider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => (await rows()).getChildren(node),
    getTreeItem: async (node) => (await rows()).getTreeItem(node),
    getParent: async (node) => (await rows()).getParent?.(node),
  };
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
  return { view, fill, dispose: () => void view.dispose() };
}
