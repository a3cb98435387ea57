import * as vscode from 'vscode';
import type { CommandsOf } from '../kit/commands.ts';
import type { LazyDocuments } from '../kit/documents.ts';
import type { LazyView } from '../kit/lazyView.ts';
import type { Listener } from '../listener/feature.ts';
import type { Prompts } from '../kit/prompts.ts';
import type { Explainer } from './explanation/explainer.ts';
import type { DeliveryNode } from './view/deliveryItem.ts';
import type { DeliveriesView } from './view/deliveriesView.ts';
import { compareCommands } from './comparison/compareCommands.ts';
import { deliveryCommands } from './deliveryCommands.ts';
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
import type { Attempt, Delivery } from '../../contract/delivery.ts';
import { lastTelling } from '../../deliveries/keptDelivery.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Services } from '../kit/services.ts';
import { showDocument } from '../kit/showDocument.ts';
import { type Part, answerUri, shownIn } from './deliveryUri.ts';
import { pickDelivery } from './view/pickDelivery.ts';

export interface DeliveriesFeature extends Services {
  rows: LazyView<DeliveryNode>;
  files: LazyDocuments;
  explainer: Explainer;
}

/** All commands about deliveries. Loaded when the first of them is called. */
export function commandSet(
  feature: DeliveriesFeature,
  view: DeliveriesView,
  panels: ExplanationPanels,
  drafts: DraftStore,
): CommandsOf<'deliveries'> {
  const { listener, prompts, context, explainer } = feature;
  const fixtures = new FixtureSaver(prompts, context.workspaceState);
  return {
    ...deliveryCommands(listener, prompts, explainer, panels, fixtures),
    ...answerCommands(listener, prompts),
    ...replayCommands(listener, prompts, view, context.workspaceState),
    ...draftCommands({ listener, prompts, drafts, fixtures }),
    ...compareCommands(listener, prompts, view),
    ...filterCommands(prompts, view, () => listener.clear()),
    ...createFixturesCommands(listener, prompts, fixtures),
    ...sendFixtureCommands(listener, prompts, context.workspaceState),
    ...verifySignatureCommands(listener, prompts, explainer, panels),
    ...verificationCodeCommands(listener, prompts, context),
  };
}

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
/** The columns from left to right. */
const columns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];

/** The command that opens the local app's response to a delivery. */
export function answerCommands(listener: Listener, prompts: Prompts) {
  return {
    openAppAnswer: async (argument) => {
      const delivery = await pickDelivery(listener, prompts, t('Open Response'), argument?.id);
      const uri = answerUri(delivery, attemptOf(delivery, argument?.at));
      await showDocument(uri, { preview: true, viewColumn: columnFor(delivery) });
      listener.looks.open(delivery.id);
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

/** @throws UserError if there is no such attempt */
function attemptOf({ id, attempts = [] }: Delivery, at: string | undefined): Attempt {
  const found =
    at === undefined
      ? (lastTelling(attempts) ?? attempts.at(-1))
      : attempts.findLast((attempt) => attempt.at === at);
  if (found !== undefined) return found;
  if (at !== undefined) throw new UserError(t('This response is no longer kept.'));
  throw new UserError(t('This delivery was not sent to your handler.'), {
    remedies: [{ kind: 'replayDelivery', id }],
  });
}

/** The column of an open answer to this delivery, else the one beside its document, else the active one. */
function columnFor({ id }: Delivery): vscode.ViewColumn {
  const columnOf = (part: Part): vscode.ViewColumn | undefined =>
    vscode.window.visibleTextEditors.find(({ document }) => {
      const shown = shownIn(document.uri);
      return shown?.part === part && shown.id === id;
    })?.viewColumn;
  const delivery = columnOf('delivery');
  const beside = delivery && columns[columns.indexOf(delivery) + 1];
  return columnOf('response') ?? beside ?? vscode.ViewColumn.Active;
}
