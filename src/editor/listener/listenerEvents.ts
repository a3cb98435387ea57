import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { News } from '../../model/processes/listenerProtocol.ts';
import type { ListenerState } from '../../model/processes/listenerState.ts';

/** The events that the listener fires in the editor. */
export class ListenerEvents {
  readonly state = new vscode.EventEmitter<ListenerState>();
  readonly startedByGesture = new vscode.EventEmitter<void>();
  readonly news = new vscode.EventEmitter<News>();
  readonly received = new vscode.EventEmitter<Delivery>();
  readonly changed = new vscode.EventEmitter<Delivery>();
  readonly looks = new vscode.EventEmitter<void>();
  readonly forgot = new vscode.EventEmitter<void>();
  readonly attached = new vscode.EventEmitter<void>();
  readonly missed = new vscode.EventEmitter<number>();

  /** Passes on news from the program. */
  tell(news: News): void {
    this.news.fire(news);
    for (const { delivery, isNew } of news.upserts) (isNew ? this.received : this.changed).fire(delivery);
  }

  dispose(): void {
    for (const emitter of Object.values(this) as vscode.EventEmitter<unknown>[]) emitter.dispose();
  }
}
