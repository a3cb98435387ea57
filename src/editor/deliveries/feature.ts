import * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import type { Listener } from '../listener/listener.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { reportError } from '../reportError.ts';
import { DeliveriesView } from './deliveriesView.ts';
import { registerDeliveryCommands } from './deliveryCommands.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { registerFilterCommands } from './filterCommands.ts';
import { registerReplayCommands } from './replayCommands.ts';

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(
  commands: Commands,
  listener: Listener,
  prompts: Prompts,
  log: Log,
): vscode.Disposable {
  const view = new DeliveriesView(listener, log);
  registerDeliveryCommands(commands, listener, prompts);
  registerReplayCommands(commands, listener, prompts, view);
  registerFilterCommands(commands, prompts, view);
  view.load().catch((error: unknown) => reportError(log, vscode.l10n.t('Reading the deliveries'), error));
  return vscode.Disposable.from(view, new DeliveryFiles(listener));
}
