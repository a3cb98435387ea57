import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { PendingViewRequests } from '../../../model/async/pendingViewRequests.ts';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import type { DeliveryPage } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { node } from '../../kit/tree.ts';
import { type DeliveryNode, deliveryRow } from './deliveryItem.ts';

/** The rows of the *Deliveries* view. */
export class DeliveriesTree implements vscode.TreeDataProvider<DeliveryNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #requests = new PendingViewRequests();
  #isChangePending = false;
  readonly #shown: () => DeliveryPage;

  /** @param shown the deliveries that the view shows */
  constructor(shown: () => DeliveryPage) {
    this.#shown = shown;
  }

  refresh(): void {
    if (this.#isChangePending) return;
    this.#isChangePending = true;
    void this.#requests.taken().then(() => {
      this.#isChangePending = false;
      this.#changed.fire();
    });
  }

  getChildren(parent?: DeliveryNode): DeliveryNode[] {
    this.#requests.given();
    if (parent !== undefined) return (parent.children?.() ?? []) as DeliveryNode[];
    const { deliveries, hasMore } = this.#shown();
    const rows = withRepeats(deliveries);
    return hasMore ? [...rows, moreRow()] : rows;
  }

  getTreeItem({ item }: DeliveryNode): vscode.TreeItem {
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The rows of deliveries, with repeats under their first. A repeat whose first is not among them has its own. */
function withRepeats(newestFirst: readonly Delivery[]): DeliveryNode[] {
  const repeatsOf = new Map<string, Delivery[]>();
  const firsts: Delivery[] = [];
  for (const delivery of newestFirst.toReversed()) {
    const repeats = repeatsOf.get(delivery.repeatOf ?? '');
    repeats?.push(delivery);
    if (repeats !== undefined) continue;
    firsts.push(delivery);
    repeatsOf.set(delivery.id, []);
  }
  return firsts.reverse().map((first) => deliveryRow(first, repeatsOf.get(first.id) ?? [], false));
}

function moreRow(): DeliveryNode {
  const click = { command: commandIds.loadMoreDeliveries, arguments: [] };
  return node({ id: 'more', label: t('Load more…'), argument: {}, click });
}
