import * as v from 'valibot';
import { commandIds } from '../ids.ts';
import type { DeliveriesView } from './view/deliveriesView.ts';
import { registerDeliveryCommands } from './deliveryCommands.ts';
import { registerFilterCommands } from './view/filterCommands.ts';
import type { HiddenSignatures } from './explanation/hiddenSignatures.ts';
import { LastAnswers } from './lastAnswers.ts';
import { registerReplayCommands } from './replayCommands.ts';
import { registerSendFixture } from './fixtures/sendFixtureCommand.ts';
import { registerVerificationCode } from './explanation/verificationCodeCommand.ts';
import { registerVerifySignature } from './explanation/verifySignatureCommand.ts';
import type * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import type { Listener } from '../listener/feature.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Explains } from './explanation/lazyExplainer.ts';

export interface DeliveriesFeature {
  context: vscode.ExtensionContext;
  commands: Commands;
  listener: Listener;
  explainer: Explains;
  prompts: Prompts;
  log: Log;
}

/** All commands about deliveries. Loaded with the first of them: nobody calls one at activation. */
export function registerCommandSet(
  feature: DeliveriesFeature,
  view: DeliveriesView,
  hidden: HiddenSignatures,
): void {
  const { commands, listener, prompts, context, explainer } = feature;
  const last = new LastAnswers(context.workspaceState);
  registerDeliveryCommands(commands, listener, prompts, explainer);
  registerReplayCommands(commands, listener, prompts, view, last);
  registerFilterCommands(commands, prompts, view);
  registerSendFixture(commands, listener, prompts, context.workspaceState);
  registerVerifySignature(commands, listener, prompts, explainer, hidden);
  commands.register(
    commandIds.showExpectedSignature,
    v.object({ document: v.optional(v.string()) }),
    (argument) => hidden.show(argument?.document),
  );
  registerVerificationCode(commands, listener, prompts, last, context.extensionUri);
}
