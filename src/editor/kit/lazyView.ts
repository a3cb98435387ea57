import * as vscode from 'vscode';
import type { Row } from './commands.ts';

/** A view whose rows are loaded when it is first shown. They are marked as rows, since its commands get them. */
export interface LazyView<Node extends Row> {
  readonly view: vscode.TreeView<Node>;
  /** Provides the rows. */
  fill(rows: vscode.TreeDataProvider<Node>): void;
  dispose(): void;
}

/** @param load must call `fill` before it resolves */
export function lazyView<Node extends Row>(
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
