import * as vscode from 'vscode';
import type { DeliveryGroup, ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { t } from '../../../model/text/l10n.ts';
import type { CarriesArgument } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { deliveryItem } from './deliveryItem.ts';

/** A row of the view: a delivery with its repeats, or the one that shows more of them. */
export type DeliveryNode = DeliveryRow | { readonly kind: 'more' };

interface DeliveryRow extends CarriesArgument {
  readonly kind: 'delivery';
  readonly argument: { id: string };
  readonly group: DeliveryGroup;
  readonly isRepeat: boolean;
}

/** The rows of the *Deliveries* view. */
export class DeliveriesTree implements vscode.TreeDataProvider<DeliveryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #shown: ShownDeliveries;

  constructor(shown: ShownDeliveries) {
    this.#shown = shown;
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(parent?: DeliveryNode): DeliveryNode[] {
    if (parent === undefined) {
      const rows = this.#shown.groups().map((group) => rowOf(group, false));
      return this.#shown.hasMore ? [...rows, { kind: 'more' }] : rows;
    }
    if (parent.kind === 'more') return [];
    return parent.group.repeats.map((first) => rowOf({ first, repeats: [] }, true));
  }

  getTreeItem(node: DeliveryNode): vscode.TreeItem {
    return node.kind === 'more' ? moreItem() : deliveryItem(node.group, node.isRepeat);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function rowOf(group: DeliveryGroup, isRepeat: boolean): DeliveryRow {
  return { kind: 'delivery', argument: { id: group.first.id }, group, isRepeat };
}

function moreItem(): vscode.TreeItem {
  const title = t('Load more…');
  const item = new vscode.TreeItem(title);
  item.id = 'more';
  item.command = { command: commandIds.loadMoreDeliveries, title };
  return item;
}
