import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { PendingViewRequests } from '../../../model/async/pendingViewRequests.ts';
import type { ShownDeliveries } from '../../../model/deliveries/shownDeliveries.ts';
import { t } from '../../../model/text/l10n.ts';
import { node } from '../../kit/tree.ts';
import { type DeliveryNode, deliveryRow } from './deliveryItem.ts';

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
    if (parent !== undefined) return (parent.children?.() ?? []) as DeliveryNode[];
    const rows = this.#shown.groups().map((group) => deliveryRow(group, false));
    return this.#shown.hasMore ? [...rows, moreRow()] : rows;
  }

  getTreeItem({ item }: DeliveryNode): vscode.TreeItem {
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function moreRow(): DeliveryNode {
  const click = { command: commandIds.loadMoreDeliveries, arguments: [] };
  return node({ id: 'more', label: t('Load more…'), argument: {}, click });
}
