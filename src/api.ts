import type { Event } from 'vscode';
import type { WholeDelivery } from './contract/delivery.ts';
import type { ListenerState } from './deliveries/listenerState.ts';

/**
 * What `activate()` returns to other extensions:
 * `await vscode.extensions.getExtension<RunhookApi>('runhook.runhook')?.activate()`.
 */
export interface RunhookApi {
  readonly version: 1;
  /** Fires when a delivery has been stored and answered. */
  readonly onDidReceiveDelivery: Event<WholeDelivery>;
  /** The kept deliveries, newest first. */
  listDeliveries(): Promise<WholeDelivery[]>;
  readonly listenerState: ListenerState;
}
