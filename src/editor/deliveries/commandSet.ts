import type { CommandsOf } from '../commands.ts';
import type * as vscode from 'vscode';
import type { LazyFiles } from '../activation/lazyFiles.ts';
import type { LazyView } from '../activation/lazyView.ts';
import type { Listener } from '../listener/feature.ts';
import type { ErrorSurface } from '../errors/errorSurface.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Explainer } from './explanation/explainer.ts';
import type { DeliveryNode } from './view/deliveriesTree.ts';
import type { DeliveriesView } from './view/deliveriesView.ts';
import { answerCommands } from './answerCommand.ts';
import { compareCommands } from './comparison/compareCommands.ts';
import { deliveryCommands } from './deliveryCommands.ts';
import type { DeliveryFiles } from './deliveryFiles.ts';
import { draftCommands } from './drafts/draftCommands.ts';
import type { DraftStore } from './drafts/draftStore.ts';
import { filterCommands } from './view/filterCommands.ts';
import type { ExplanationPanels } from './explanation/explanationPanels.ts';
import { replayCommands } from './replayCommands.ts';
import { FixtureSaver } from './fixtures/fixtureSaver.ts';
import { createFixturesCommands } from './fixtures/createFixturesCommand.ts';
import { sendFixtureCommands } from './fixtures/sendFixtureCommand.ts';
import { verificationCodeCommands } from './explanation/verificationCodeCommand.ts';
import { verifySignatureCommands } from './explanation/verifySignatureCommand.ts';

export interface DeliveriesFeature {
  context: vscode.ExtensionContext;
  rows: LazyView<DeliveryNode>;
  files: LazyFiles;
  listener: Listener;
  explainer: Explainer;
  prompts: Prompts;
  errors: ErrorSurface;
  log: Log;
}

/** All commands about deliveries. Loaded when the first of them is called. */
export function commandSet(
  feature: DeliveriesFeature,
  view: DeliveriesView,
  panels: ExplanationPanels,
  files: DeliveryFiles,
  drafts: DraftStore,
): CommandsOf<'deliveries'> {
  const { listener, prompts, context, explainer } = feature;
  const fixtures = new FixtureSaver(prompts, context.workspaceState);
  return {
    ...deliveryCommands(listener, prompts, explainer, panels, fixtures),
    ...answerCommands(listener, prompts),
    ...replayCommands(listener, prompts, view, context.workspaceState),
    ...draftCommands({ listener, prompts, files, drafts, fixtures }),
    ...compareCommands(listener, prompts, view),
    ...filterCommands(prompts, view),
    ...createFixturesCommands(listener, prompts, fixtures),
    ...sendFixtureCommands(listener, prompts, context.workspaceState),
    ...verifySignatureCommands(listener, prompts, explainer, panels),
    ...verificationCodeCommands(listener, prompts, context),
  };
}
