import type { Argument } from '../../../contract/commands.ts';
import { type DeliveryFilter, isEmptyFilter } from '../../../deliveries/deliveryFilter.ts';
import { parseFind, printFind } from '../../../deliveries/find/findQuery.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import { DeclinedError, type FieldLine, type LiveField, type Prompts } from '../../kit/prompts.ts';
import type { DeliveriesView } from './deliveriesView.ts';
import { findCompletions } from '../../../deliveries/find/findCompletions.ts';
import { failureText } from '../../../shared/http/failureReason.ts';
import { plainText } from '../../../shared/text/plainText.ts';

/** Commands that change what the view shows. */
export function filterCommands(prompts: Prompts, view: DeliveriesView, clear: () => Promise<void>) {
  // The last query in this window.
  let last = '';
  /** The field while it is on the screen. */
  let open: FindField | undefined;
  return {
    filterDeliveries: async (argument) => {
      if (argument !== undefined) {
        await view.setFilter(filterOf(argument));
        return;
      }
      const field = new FindField(view, last, open?.filterBefore);
      open = field;
      const isKept = await prompts.live(field);
      // Its button was clicked again: the field that took its place has what was typed.
      if (open !== field) throw notChanged();
      open = undefined;
      if (isKept) last = field.text.trim() || last;
      else field.restore();
      await field.shown;
      if (!isKept) throw notChanged();
      // The button that had the focus may have been drawn anew.
      await view.focus();
    },

    clearDeliveryFilter: async () => {
      await view.setFilter({});
      open?.close();
    },

    loadMoreDeliveries: () => view.loadMore(),

    // The menu items call this one, which asks first.
    askToClearDeliveries: async () => {
      const sure = await prompts.confirm(
        t('Clear all deliveries?'),
        t('Deleted deliveries cannot be replayed.'),
        t('Clear'),
      );
      if (!sure) throw new DeclinedError(t('The deliveries were not cleared.'));
      await clear();
      // Its button goes with the deliveries.
      await view.focus();
    },
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

function notChanged(): DeclinedError {
  return new DeclinedError(t('The filter was not changed.'));
}

/** @throws UserError if the query cannot be parsed */
function filterOf({ query = '', ...more }: Argument<'filterDeliveries'>): DeliveryFilter {
  const { filter, problem } = parseFind(query);
  if (problem !== undefined) throw new UserError(problem);
  return { ...filter, ...more };
}

type FilteredView = Pick<DeliveriesView, 'filter' | 'hits' | 'seen' | 'setFilter' | 'onDidChoose'>;

/** The filter field above the view. Typing narrows the view at once. */
export class FindField implements LiveField {
  readonly title = t('Filter Deliveries');
  readonly placeHolder = t('Text of bodies and headers, app:, verdict:, status:, since:1h …');
  readonly value: string;
  readonly #view: FilteredView;
  /** The last query, offered while the field is empty. */
  readonly #last: string;
  /** What Escape goes back to. */
  readonly filterBefore: DeliveryFilter;
  #text = '';
  #filter: DeliveryFilter;
  #problem: string | undefined;
  #failure: string | undefined;
  #changed = (): void => undefined;
  /** Closes the field, and leaves the view as it is. */
  close = (): void => undefined;
  /** Resolves when the view shows the deliveries that match the text. */
  shown: Promise<void> = Promise.resolve();

  constructor(view: FilteredView, last: string, filterBefore = view.filter) {
    this.#view = view;
    this.filterBefore = filterBefore;
    this.#filter = view.filter;
    // Starts with the current filter.
    this.value = isEmptyFilter(view.filter) ? '' : `${printFind(view.filter)} `;
    this.#last = last;
  }

  get text(): string {
    return this.#text;
  }

  follow(text: string): void {
    this.#text = text;
    const { filter, problem } = parseFind(text);
    this.#problem = problem;
    if (printFind(filter) !== printFind(this.#filter)) this.#show(filter);
  }

  lines(): FieldLine[] {
    const text = this.#text.trim();
    const problem = this.#problem ?? this.#failure;
    return [
      {
        // The editor ranks items that contain the text first: this label contains all of it.
        label: text === '' ? t('All deliveries') : plainText(this.#text, 1000),
        description: problem ?? t('{0} · Enter keeps this, Escape goes back', this.#view.hits),
        icon: problem === undefined ? 'filter' : 'warning',
      },
      ...(text === '' && this.#last !== ''
        ? [{ label: plainText(this.#last), description: t('last filter'), text: this.#last }]
        : []),
      ...findCompletions(this.#text, this.#view.seen).map(({ word, meaning, query }) => ({
        label: plainText(word),
        description: meaning,
        text: query,
      })),
    ];
  }

  listen(changed: () => void, chosenElsewhere: () => void): { dispose(): unknown } {
    this.#changed = changed;
    this.close = chosenElsewhere;
    return this.#view.onDidChoose(() => {
      if (this.canBeKept()) chosenElsewhere();
    });
  }

  canBeKept(): boolean {
    return this.#problem === undefined;
  }

  /** Restores the filter from before the field was opened. */
  restore(): void {
    if (printFind(this.filterBefore) !== printFind(this.#filter)) this.#show(this.filterBefore);
  }

  #show(filter: DeliveryFilter): void {
    this.#filter = filter;
    this.shown = this.#view.setFilter(filter).then(
      () => this.#answered(filter, undefined),
      (error: unknown) => this.#answered(filter, failureText(error)),
    );
  }

  /** Ignores the result of an older search: it does not belong to the current text. */
  #answered(filter: DeliveryFilter, failure: string | undefined): void {
    if (filter !== this.#filter) return;
    this.#failure = failure;
    this.#changed();
  }
}
