import * as vscode from 'vscode';
import type { DeliveryGroup } from '../../../model/deliveries/deliveryList.ts';
import type { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { t } from '../../../model/text/l10n.ts';
import type { CarriesArgument } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { deliveryItem } from './deliveryItem.ts';

/** A row of the view: a delivery by its id, or the one that shows more of them. */
export type DeliveryNode = (CarriesArgument & { readonly kind: 'delivery'; readonly id: string }) | MoreNode;

interface MoreNode {
  readonly kind: 'more';
}

const more: MoreNode = { kind: 'more' };

/** The rows of the *Deliveries* view. Keeps one node a delivery, so that one row can be drawn anew. */
export class DeliveriesTree implements vscode.TreeDataProvider<DeliveryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<DeliveryNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #shown: ShownDeliveries;
  #nodes = new Map<string, DeliveryNode>();
  #groups = new Map<string, DeliveryGroup>();

  constructor(shown: ShownDeliveries) {
    this.#shown = shown;
  }

  /** Draws one delivery anew, or the whole view. */
  refresh(id?: string): void {
    const node = id === undefined ? undefined : this.#nodes.get(id);
    if (node !== undefined) this.#readGroups();
    if (id === undefined || node !== undefined) this.#changed.fire(node);
  }

  getChildren(parent?: DeliveryNode): DeliveryNode[] {
    if (parent === undefined) {
      this.#readGroups();
      const rows = this.#shown.list.groups().map(({ first }) => this.#node(first.id));
      return this.#shown.hasMore ? [...rows, more] : rows;
    }
    if (parent.kind === 'more') return [];
    return this.#groups.get(parent.id)?.repeats.map(({ id }) => this.#node(id)) ?? [];
  }

  getTreeItem(node: DeliveryNode): vscode.TreeItem {
    if (node.kind === 'more') return moreItem();
    const group = this.#groups.get(node.id);
    if (group) return deliveryItem(group, false);
    const repeat = this.#shown.list.get(node.id);
    return repeat ? deliveryItem({ first: repeat, repeats: [] }, true) : new vscode.TreeItem(node.id);
  }

  getParent(node: DeliveryNode): DeliveryNode | undefined {
    const first = node.kind === 'delivery' ? this.#shown.list.get(node.id)?.repeatOf : undefined;
    return first !== undefined && this.#groups.has(first) ? this.#node(first) : undefined;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #readGroups(): void {
    this.#groups = new Map(this.#shown.list.groups().map((group) => [group.first.id, group]));
    for (const id of this.#nodes.keys()) if (!this.#shown.list.get(id)) this.#nodes.delete(id);
  }

  #node(id: string): DeliveryNode {
    const known = this.#nodes.get(id);
    if (known) return known;
    const node: DeliveryNode = { kind: 'delivery', id, argument: { id } };
    this.#nodes.set(id, node);
    return node;
  }
}

function moreItem(): vscode.TreeItem {
  const title = t('Load more…');
  const item = new vscode.TreeItem(title);
  item.id = 'more';
  item.command = { command: commandIds.loadMoreDeliveries, title };
  return item;
}
