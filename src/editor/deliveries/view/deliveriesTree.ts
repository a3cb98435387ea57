import * as vscode from 'vscode';
import { PendingViewRequests } from '../../../model/async/pendingViewRequests.ts';
import type { Attempt } from '../../../model/deliveries/delivery.ts';
import type { DeliveryGroup, ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { t } from '../../../model/text/l10n.ts';
import { type Row, row } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { attemptItem, attemptsOf, deliveryItem } from './deliveryItem.ts';

/** A row of the view: a delivery or a repeat of it, an attempt, or *Load more…*. */
export type DeliveryNode = DeliveryRow | AttemptRow | MoreRow;

interface AttemptRow extends Row {
  readonly kind: 'attempt';
  readonly argument: { id: string; at: string };
  readonly id: string;
  readonly attempt: Attempt;
}

interface MoreRow extends Row {
  readonly kind: 'more';
}

interface DeliveryRow extends Row {
  readonly kind: 'delivery';
  readonly argument: { id: string };
  readonly group: DeliveryGroup;
  readonly isRepeat: boolean;
}

/** The rows of the *Deliveries* view. */
export class DeliveriesTree implements vscode.TreeDataProvider<DeliveryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #answers = new PendingViewRequests();
  #isChangePending = false;
  readonly #shown: ShownDeliveries;

  constructor(shown: ShownDeliveries) {
    this.#shown = shown;
  }

  refresh(): void {
    if (this.#isChangePending) return;
    this.#isChangePending = true;
    void this.#answers.taken().then(() => {
      this.#isChangePending = false;
      this.#changed.fire();
    });
  }

  getChildren(parent?: DeliveryNode): DeliveryNode[] {
    this.#answers.given();
    if (parent === undefined) {
      return [
        ...this.#shown.groups().map((group) => rowOf(group, false)),
        ...(this.#shown.hasMore ? [row({ kind: 'more' as const, argument: {} })] : []),
      ];
    }
    if (parent.kind !== 'delivery') return [];
    const { first: delivery, repeats } = parent.group;
    const attempts = attemptsOf(delivery).map((attempt, at): DeliveryNode =>
      row({
        kind: 'attempt',
        argument: { id: delivery.id, at: attempt.at },
        id: `${delivery.id} ${at}`,
        attempt,
      }),
    );
    return [...attempts.reverse(), ...repeats.map((first) => rowOf({ first, repeats: [] }, true))];
  }

  getTreeItem(node: DeliveryNode): vscode.TreeItem {
    if (node.kind === 'more') return moreItem();
    return node.kind === 'attempt'
      ? attemptItem(node.id, node.argument, node.attempt)
      : deliveryItem(node.group, node.isRepeat);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function rowOf(group: DeliveryGroup, isRepeat: boolean): DeliveryRow {
  return row({ kind: 'delivery', argument: { id: group.first.id }, group, isRepeat });
}

function moreItem(): vscode.TreeItem {
  const title = t('Load more…');
  const item = new vscode.TreeItem(title);
  item.id = 'more';
  item.command = { command: commandIds.loadMoreDeliveries, title };
  return item;
}
