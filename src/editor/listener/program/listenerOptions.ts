import type * as vscode from 'vscode';
import type { Log } from '../../log.ts';
import type { Destinations } from '../destinations.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

/** What a listener is made of. */
export interface ListenerOptions {
  /** The bundle of the command line, which is the listener program too. */
  entry: string;
  /** The storage folder, which has one program. */
  folder: string;
  /** The version of Runhook. */
  version: string;
  /** Remembers the port over a reload. */
  memento: vscode.Memento;
  secrets: WebhookSecrets;
  /** Where deliveries may go. */
  destinations: Destinations;
  log: Log;
}
