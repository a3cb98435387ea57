import * as v from 'valibot';
import { verdicts } from '../../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../../model/deliveries/deliveryFilter.ts';
import { agePattern } from '../../../model/find/age.ts';
import { parseFind, statusPattern } from '../../../model/find/findQuery.ts';
import { headerName } from '../../../model/find/headerSearch.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { commandIds } from '../../ids.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { DeliveriesView } from './deliveriesView.ts';
import { FindField } from './findField.ts';

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(10_000));

const filterSchema = v.object({
  query: v.exactOptional(v.pipe(v.string(), v.maxLength(10_000))),
  verdict: v.exactOptional(v.picklist(verdicts)),
  app: v.exactOptional(v.string()),
  /** How the id of the run begins; any of several. */
  run: v.exactOptional(v.union([text, v.pipe(v.array(text), v.maxLength(100))])),
  status: v.exactOptional(v.pipe(v.string(), v.regex(statusPattern))),
  header: v.exactOptional(
    v.object({ name: v.pipe(v.string(), v.regex(headerName)), value: v.exactOptional(text) }),
  ),
  refused: v.exactOptional(v.literal(true)),
  since: v.exactOptional(v.pipe(v.string(), v.regex(agePattern))),
  text: v.exactOptional(text),
});

/** Commands that change what the view shows. */
export function filterCommands(prompts: Prompts, view: DeliveriesView) {
  // The last query in this window.
  let last = '';
  return {
    [commandIds.filterDeliveries]: command(filterSchema, async (argument) => {
      if (argument !== undefined) {
        await view.setFilter(filterOf(argument));
        return;
      }
      const field = new FindField(view, last);
      const isKept = await prompts.live(field);
      if (isKept) last = field.text.trim() || last;
      else field.restore();
      await field.shown;
      if (!isKept) throw new DeclinedError(t('The filter was left as it is.'));
    }),

    [commandIds.clearDeliveryFilter]: command(v.object({}), () => view.setFilter({})),

    [commandIds.loadMoreDeliveries]: command(v.object({}), () => view.loadMore()),
  };
}

/** @throws UserError if the query cannot be parsed */
function filterOf({ query = '', ...more }: v.InferOutput<typeof filterSchema>): DeliveryFilter {
  const { filter, problem } = parseFind(query);
  if (problem !== undefined) throw new UserError(problem);
  return { ...filter, ...more };
}
