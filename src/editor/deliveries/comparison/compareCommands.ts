import type * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../../contract/delivery.ts';
import { isEdited, previousAttempt } from '../../../deliveries/keptDelivery.ts';
import { attemptKindText } from '../../../deliveries/outcomeText.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Prompts } from '../../kit/prompts.ts';
import { showDifferences } from '../../kit/showDocument.ts';
import { answerUri, comparedUri } from '../deliveryUri.ts';
import type { DeliveriesView } from '../view/deliveriesView.ts';
import { nameOf } from '../view/deliveryItem.ts';
import { askForDelivery, pickDelivery } from '../view/pickDelivery.ts';

/** Two deliveries: the first is shown on the left, the second on the right. */
type Pair = readonly [first: Delivery, second: Delivery];

/** Commands that show the differences between two deliveries. */
export function compareCommands(listener: Listener, prompts: Prompts, view: DeliveriesView) {
  async function withPrevious(id: string | undefined): Promise<Pair> {
    const title = t('Compare with Previous Delivery');
    const delivery = await pickDelivery(listener, prompts, title, id);
    return [await previousOf(delivery, listener), delivery];
  }

  return {
    compareDeliveries: async (argument, from) => {
      const { id, ids } = argument ?? {};
      if (from === 'menu') {
        const selected = selectedWith(id, view.selected);
        // The code lens of a document passes a single delivery.
        const isOfOne = id !== undefined && selected.length < 2;
        return show(isOfOne ? await askOther(id, listener, prompts) : await bothOf(selected, listener));
      }
      if (ids !== undefined) return show(await bothOf(ids, listener));
      return show(id === undefined ? await askBoth(listener, prompts) : await withPrevious(id));
    },

    compareWithPrevious: async (argument) => show(await withPrevious(argument?.id)),

    compareResponses: async (argument) => {
      const title = t('Compare with Previous Response');
      const delivery = await pickDelivery(listener, prompts, title, argument?.id);
      const { attempts = [] } = delivery;
      const index =
        argument?.at === undefined
          ? attempts.length - 1
          : attempts.findLastIndex(({ at }) => at === argument.at);
      const [first, second] = [previousAttempt(attempts, index), attempts[index]];
      if (first === undefined || second === undefined)
        throw new UserError(t('There is no earlier response to this delivery.'));
      const uriOf = (one: Attempt): vscode.Uri => answerUri(delivery, one, 'comparedResponse');
      const statuses = responsesText(first, second);
      await showDifferences(uriOf(first), uriOf(second), `${nameOf(delivery)}: ${statuses}`);
      return { at: [first.at, second.at] };
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

/** The selection, oldest first; empty if the row under the mouse, which a menu passes, is not part of it. */
function selectedWith(id: string | undefined, selected: readonly string[]): readonly string[] {
  return id !== undefined && selected.includes(id) ? selected : [];
}

async function bothOf(ids: readonly string[], listener: Listener): Promise<Pair> {
  const [first, second, ...others] = ids;
  if (first === undefined || second === undefined || first === second || others.length > 0) {
    throw new UserError(t('Select two different deliveries to compare.'), {
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  return [await listener.get(first), await listener.get(second)];
}

async function askBoth(listener: Listener, prompts: Prompts): Promise<Pair> {
  const first = await askForDelivery(listener, prompts, t('Compare: First Delivery'));
  const second = await askForDelivery(listener, prompts, t('Compare: Second Delivery'), first.id);
  return bothOf([first.id, second.id], listener);
}

/** Asks for the delivery to compare with. The older one comes first. */
async function askOther(id: string, listener: Listener, prompts: Prompts): Promise<Pair> {
  const one = await listener.get(id);
  const other = await askForDelivery(listener, prompts, t('Compare with'), id);
  return one.receivedAt < other.receivedAt ? [one, other] : [other, one];
}

/** The previous delivery of the same app. @throws UserError if there is none */
async function previousOf({ id, appName }: Delivery, listener: Listener): Promise<Delivery> {
  if (appName === undefined) {
    throw new UserError(t('The app of this delivery is not known. Select two deliveries to compare them.'));
  }
  const [previous] = (await listener.page({ app: appName }, 1, id)).deliveries;
  if (previous === undefined) {
    throw new UserError(t('This is the first delivery of {0}.', plainText(appName)));
  }
  return listener.get(previous.id);
}

/** `500 ↔ 200`. */
function responsesText(...both: readonly Attempt[]): string {
  return both
    .map((one) => `${one.status ?? '–'}${isEdited(one) ? ` ${attemptKindText(one.kind)}` : ''}`)
    .join(' ↔ ');
}

/** Shows both in the diff editor. Returns their ids. */
async function show([first, second]: Pair): Promise<{ ids: string[] }> {
  const title = `${nameOf(first)} ↔ ${nameOf(second)}`;
  await showDifferences(comparedUri(first, first), comparedUri(second, first), title);
  return { ids: [first.id, second.id] };
}
