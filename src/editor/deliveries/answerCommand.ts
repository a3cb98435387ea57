import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../model/deliveries/delivery.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { answerUri, type Part, shownIn } from './deliveryUri.ts';
import { oneDelivery } from './deliveryCommands.ts';
import { pickDelivery } from './view/pickDelivery.ts';

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = vscode.ViewColumn;
/** The columns from left to right. */
const columns = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine];

/** The command that opens the local app's response to a delivery. */
export function answerCommands(listener: Listener, prompts: Prompts) {
  return {
    [commandIds.openAppAnswer]: command(
      v.object({
        ...oneDelivery.entries,
        /** The attempt of that time; the last where none is named. */
        at: v.optional(v.string()),
      }),
      async (argument) => {
        const delivery = await pickDelivery(listener, prompts, t("Open App's Answer"), argument?.id);
        const uri = answerUri(delivery, attemptOf(delivery, argument?.at));
        await vscode.window.showTextDocument(uri, { preview: true, viewColumn: columnFor(delivery) });
        listener.looks.open(delivery.id);
      },
    ),
  };
}

/** @throws UserError if there is no such attempt */
function attemptOf({ id, attempts = [] }: Delivery, at: string | undefined): Attempt {
  const found = attempts.findLast((attempt) => at === undefined || attempt.at === at);
  if (found !== undefined) return found;
  if (at !== undefined) throw new UserError(t('That attempt is no longer kept.'));
  throw new UserError(t('This delivery was not handed to your app.'), {
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
  return columnOf('answer') ?? beside ?? vscode.ViewColumn.Active;
}
