import * as v from 'valibot';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { DeliveriesFeature } from './feature.ts';
import type { DeliveriesView } from './view/deliveriesView.ts';
import { deliveryCommands } from './deliveryCommands.ts';
import { filterCommands } from './view/filterCommands.ts';
import type { HiddenSignatures } from './explanation/hiddenSignatures.ts';
import { LastAnswers } from './lastAnswers.ts';
import { replayCommands } from './replayCommands.ts';
import { sendFixtureCommands } from './fixtures/sendFixtureCommand.ts';
import { verificationCodeCommands } from './explanation/verificationCodeCommand.ts';
import { verifySignatureCommands } from './explanation/verifySignatureCommand.ts';

/** All commands about deliveries. Loaded with the first of them. */
export function commandSet(
  feature: DeliveriesFeature,
  view: DeliveriesView,
  hidden: HiddenSignatures,
): CommandsOf<'deliveries'> {
  const { listener, prompts, context, explainer } = feature;
  const last = new LastAnswers(context.workspaceState);
  return {
    ...deliveryCommands(listener, prompts, explainer),
    ...replayCommands(listener, prompts, view, last),
    ...filterCommands(prompts, view),
    ...sendFixtureCommands(listener, prompts, context.workspaceState),
    ...verifySignatureCommands(listener, prompts, explainer, hidden),
    [commandIds.showExpectedSignature]: command(v.object({ document: v.optional(v.string()) }), (argument) =>
      hidden.show(argument?.document),
    ),
    ...verificationCodeCommands(listener, prompts, last, context.extensionUri),
  };
}
