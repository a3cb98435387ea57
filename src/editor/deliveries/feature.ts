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
import { registerSendFixture } from './sendFixtureCommand.ts';
import { registerVerificationCode } from './verificationCodeCommand.ts';
import { registerVerifySignature } from './verifySignatureCommand.ts';

export interface DeliveriesFeature {
  commands: Commands;
  listener: Listener;
  prompts: Prompts;
  log: Log;
  extensionUri: vscode.Uri;
}

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): vscode.Disposable {
  const { commands, listener, prompts, log, extensionUri } = feature;
  const view = new DeliveriesView(listener, log);
  registerDeliveryCommands(commands, listener, prompts);
  registerReplayCommands(commands, listener, prompts, view);
  registerFilterCommands(commands, prompts, view);
  registerSendFixture(commands, listener, prompts);
  registerVerifySignature(commands, listener, prompts);
  registerVerificationCode(commands, listener, prompts, extensionUri);
  view.load().catch((error: unknown) => reportError(log, vscode.l10n.t('Reading the deliveries'), error));
  return vscode.Disposable.from(view, new DeliveryFiles(listener));
}
