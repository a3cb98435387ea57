import type { DeliveriesFeature } from './feature.ts';
import type { DeliveriesView } from './deliveriesView.ts';
import { registerDeliveryCommands } from './deliveryCommands.ts';
import { registerFilterCommands } from './filterCommands.ts';
import { LastAnswers } from './lastAnswers.ts';
import { registerReplayCommands } from './replayCommands.ts';
import { registerSendFixture } from './sendFixtureCommand.ts';
import { registerVerificationCode } from './verificationCodeCommand.ts';
import { registerVerifySignature } from './verifySignatureCommand.ts';

/** All commands about deliveries. Loaded with the first of them: nobody calls one at activation. */
export function registerCommandSet(feature: DeliveriesFeature, view: DeliveriesView): void {
  const { commands, listener, prompts, context } = feature;
  const last = new LastAnswers(context.workspaceState);
  registerDeliveryCommands(commands, listener, prompts);
  registerReplayCommands(commands, listener, prompts, view, last);
  registerFilterCommands(commands, prompts, view);
  registerSendFixture(commands, listener, prompts, context.workspaceState);
  registerVerifySignature(commands, listener, prompts);
  registerVerificationCode(commands, listener, prompts, last, context.extensionUri);
}
