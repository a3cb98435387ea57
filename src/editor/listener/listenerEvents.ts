import * as vscode from 'vscode';
import type { Delivery } from '../../model/delivery.ts';
import type { Arrival, News, Refused } from '../../model/listenerProtocol.ts';
import type { ListenerState } from '../../model/listenerState.ts';

/** What the listener tells the editor. */
export class ListenerEvents implements vscode.Disposable {
  readonly state = new vscode.EventEmitter<ListenerState>();
  readonly received = new vscode.EventEmitter<Delivery>();
  readonly changed = new vscode.EventEmitter<Delivery>();
  readonly arrived = new vscode.EventEmitter<readonly Arrival[]>();
  readonly refused = new vscode.EventEmitter<readonly Refused[]>();
  readonly forgot = new vscode.EventEmitter<void>();

  /** Passes on what the thread has told. */
  tell({ arrivals, changed, refused }: News): void {
    if (arrivals.length > 0) this.arrived.fire(arrivals);
    for (const { delivery } of arrivals) this.received.fire(delivery);
    for (const delivery of changed) this.changed.fire(delivery);
    if (refused.length > 0) this.refused.fire(refused);
  }

  dispose(): void {
    for (const emitter of [this.state, this.received, this.changed]) emitter.dispose();
    for (const emitter of [this.arrived, this.refused, this.forgot]) emitter.dispose();
  }
}
