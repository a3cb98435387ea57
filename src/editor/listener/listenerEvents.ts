import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { Arrival, News, Refused } from '../../model/processes/listenerProtocol.ts';
import type { ListenerState } from '../../model/processes/listenerState.ts';

/** What the listener tells the editor. */
export class ListenerEvents implements vscode.Disposable {
  readonly state = new vscode.EventEmitter<ListenerState>();
  readonly received = new vscode.EventEmitter<Delivery>();
  readonly changed = new vscode.EventEmitter<Delivery>();
  readonly arrived = new vscode.EventEmitter<readonly Arrival[]>();
  readonly refused = new vscode.EventEmitter<readonly Refused[]>();
  readonly forgot = new vscode.EventEmitter<void>();

  readonly missed = new vscode.EventEmitter<number>();

  /** Passes on what the program has told. */
  tell({ upserts, refused }: News): void {
    const arrivals = upserts.filter(({ isNew }) => isNew);
    if (arrivals.length > 0) this.arrived.fire(arrivals);
    for (const { delivery, isNew } of upserts) (isNew ? this.received : this.changed).fire(delivery);
    if (refused.length > 0) this.refused.fire(refused);
  }

  dispose(): void {
    for (const emitter of [this.state, this.received, this.changed]) emitter.dispose();
    for (const emitter of [this.arrived, this.refused, this.forgot, this.missed]) emitter.dispose();
  }
}
