import * as v from 'valibot';
import { verdicts } from '../../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import type { Choice, Prompts } from '../../prompts/prompts.ts';
import type { DeliveriesView } from './deliveriesView.ts';

/** Commands that change what the view shows. */
export function filterCommands(prompts: Prompts, view: DeliveriesView) {
  return {
    [commandIds.filterDeliveries]: command(
      v.object({
        verdict: v.exactOptional(v.picklist(verdicts)),
        app: v.exactOptional(v.string()),
        text: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
      }),
      async (argument, from) => {
        // The title of a view hands over the row that has the focus.
        const given = from === 'caller' ? argument : undefined;
        await view.setFilter(given ?? (await askFilter(prompts, view)));
      },
    ),

    [commandIds.clearDeliveryFilter]: command(v.object({}), () => view.setFilter({})),

    [commandIds.loadMoreDeliveries]: command(v.object({}), () => view.loadMore()),
  };
}

/** One more condition on top of those that are set. */
async function askFilter(prompts: Prompts, view: DeliveriesView): Promise<DeliveryFilter> {
  const { filter } = view;
  const choices: Choice<DeliveryFilter | 'text'>[] = [
    { label: t('Text in the body…'), value: 'text' },
    ...verdicts.map((verdict) => ({
      label: verdictText(verdict),
      description: t('verdict'),
      value: { ...filter, verdict },
    })),
    ...view.apps.map((app) => ({
      label: plainText(app),
      description: t('app'),
      value: { ...filter, app },
    })),
    { label: t('Show all'), value: {} },
  ];
  const choice = await prompts.pick(t('Filter Deliveries'), choices);
  if (choice === undefined) throw new DeclinedError(t('The filter was left as it is.'));
  if (choice !== 'text') return choice;
  const text = await prompts.input({
    title: t('Filter Deliveries'),
    prompt: t('A text in the body'),
    value: filter.text ?? '',
  });
  if (text === undefined) throw new DeclinedError(t('The filter was left as it is.'));
  if (text !== '') return { ...filter, text };
  const others = { ...filter };
  delete others.text;
  return others;
}
