import { t } from '../text/l10n.ts';
import type { DeliverySummary } from './delivery.ts';
import { markOf } from './outcomeText.ts';

/** The minimum number of deliveries for a chart. */
const fewest = 20;
/** The maximum number of deliveries that are counted (the newest ones), and the number of bars. */
const mostCounted = 5000;
const barCount = 20;
const levels = '▁▂▃▄▅▆▇█';

/** Time spans in minutes, up to the newest delivery. The shortest that has enough deliveries is drawn. */
const spans = [
  { minutes: 5, text: () => t('5 min') },
  { minutes: 60, text: () => t('1 h') },
  { minutes: 24 * 60, text: () => t('24 h') },
];

/** The outcome of a delivery: it did not verify, the app did not accept it, or neither. */
type Outcome = 'fine' | 'unverified' | 'refused';

/** A bar chart of the most recent deliveries, as text. */
export interface ActivityText {
  /** One character per interval, the newest last. */
  bars: string;
  /** `24 in 5 min`. */
  count: string;
  /** What went wrong, in words. */
  wrong: string[];
  worst: Outcome;
  /** When the newest delivery arrived, ISO 8601. */
  until: string;
}

/** Counts the newest deliveries, whether or not the view shows them. */
export class Activity {
  #deliveries = new Map<string, { at: number; outcome: Outcome }>();
  /** Whether no delivery is older than those known here. */
  #isWhole: boolean | undefined;

  /** Drops everything. */
  forget(): void {
    this.#deliveries = new Map();
    this.#isWhole = undefined;
  }

  /** Adds the newest deliveries. @param isWhole whether these are all deliveries: they replace the known ones */
  learn(deliveries: readonly DeliverySummary[], isWhole: boolean): void {
    if (isWhole) this.#deliveries = new Map();
    for (const one of deliveries) this.take(one);
    this.#deliveries = new Map([...this.#deliveries].sort(([, a], [, b]) => a.at - b.at));
    this.#isWhole = isWhole || (this.#isWhole ?? false);
  }

  /** Adds a delivery, or updates its outcome. */
  take(delivery: DeliverySummary): void {
    this.#deliveries.set(delivery.id, { at: Date.parse(delivery.receivedAt), outcome: outcomeOf(delivery) });
    if (this.#deliveries.size <= mostCounted) return;
    const [oldest] = this.#deliveries.keys();
    if (oldest !== undefined) this.#deliveries.delete(oldest);
    this.#isWhole = false;
  }

  /** Undefined if there are too few deliveries. */
  text(): ActivityText | undefined {
    const all = [...this.#deliveries.values()];
    const until = all.reduce((latest, { at }) => Math.max(latest, at), 0);
    const within = (minutes: number) => all.filter(({ at }) => at > until - minutes * 60_000);
    const span = spans.find(({ minutes }) => within(minutes).length >= fewest);
    if (span === undefined) return undefined;
    const seen = within(span.minutes);
    const bars = Array<number>(barCount).fill(0);
    for (const { at } of seen) {
      const back = Math.floor(((until - at) / (span.minutes * 60_000)) * barCount);
      bars[barCount - 1 - back] = (bars[barCount - 1 - back] ?? 0) + 1;
    }
    const most = Math.max(...bars);
    const count = (outcome: Outcome): number => seen.filter((one) => one.outcome === outcome).length;
    const [unverified, refused] = [count('unverified'), count('refused')];
    // Deliveries that are not known here are older than all that are.
    const isMore = this.#isWhole !== true && seen.length === all.length;
    return {
      bars: bars.map((one) => levels[Math.ceil((one / most) * (levels.length - 1))]).join(''),
      count: t('{0} in {1}', `${seen.length}${isMore ? '+' : ''}`, span.text()),
      wrong: [
        ...(unverified > 0 ? [t('{0} did not verify', unverified)] : []),
        ...(refused > 0 ? [t('{0} refused by your app', refused)] : []),
      ],
      worst: unverified > 0 ? 'unverified' : refused > 0 ? 'refused' : 'fine',
      until: new Date(until).toISOString(),
    };
  }
}

function outcomeOf(delivery: DeliverySummary): Outcome {
  const mark = markOf(delivery);
  if (mark === 'refusedByApp') return 'refused';
  // An unsigned delivery is expected where no secret is held.
  const isExpected = mark === 'verified' || (mark === 'unsigned' && delivery.answered < 300);
  return isExpected ? 'fine' : 'unverified';
}
