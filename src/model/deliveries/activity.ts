import { t } from '../text/l10n.ts';
import type { DeliverySummary } from './delivery.ts';
import { markOf } from './outcomeText.ts';

/** From so many on there is something to see. */
const fewest = 20;
/** So many are counted, the last that came; and so many bars are drawn. */
const mostCounted = 5000;
const barCount = 20;
const levels = '▁▂▃▄▅▆▇█';

/** What is looked at: the shortest of these that holds enough, up to the last that came. In minutes. */
const spans = [
  { minutes: 5, text: () => t('5 min') },
  { minutes: 60, text: () => t('1 h') },
  { minutes: 24 * 60, text: () => t('24 h') },
];

/** What became of a delivery: it did not verify, or the app did not take it, or neither. */
type Outcome = 'fine' | 'unverified' | 'refused';

/** A picture of what came in the last minutes, in text. */
export interface ActivityText {
  /** One character for each part of the time, the last one the newest. */
  bars: string;
  /** `24 in 5 min`. */
  count: string;
  /** What went wrong, each in words. */
  wrong: string[];
  worst: Outcome;
  /** When the last one came, ISO 8601. */
  until: string;
}

/** Counts what came last, whatever the view shows of it. */
export class Activity {
  #came = new Map<string, { at: number; outcome: Outcome }>();
  /** Whether nothing came before what is known here. */
  #isWhole: boolean | undefined;

  /** Knows nothing any more. */
  forget(): void {
    this.#came = new Map();
    this.#isWhole = undefined;
  }

  /** Takes in what came last. @param isWhole whether that is all that came */
  learn(deliveries: readonly DeliverySummary[], isWhole: boolean): void {
    if (isWhole) this.#came = new Map();
    for (const one of deliveries) this.take(one);
    this.#came = new Map([...this.#came].sort(([, a], [, b]) => a.at - b.at));
    this.#isWhole = isWhole || (this.#isWhole ?? false);
  }

  /** Takes in a delivery that came, or what became of it. */
  take(delivery: DeliverySummary): void {
    this.#came.set(delivery.id, { at: Date.parse(delivery.receivedAt), outcome: outcomeOf(delivery) });
    if (this.#came.size <= mostCounted) return;
    const [oldest] = this.#came.keys();
    if (oldest !== undefined) this.#came.delete(oldest);
    this.#isWhole = false;
  }

  /** Undefined where too few came. */
  text(): ActivityText | undefined {
    const all = [...this.#came.values()];
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
    // Those that are not known came before all that are.
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
  // What came unsigned where no secret is held is as it should be.
  const isAsked = mark === 'verified' || (mark === 'unsigned' && delivery.answered < 300);
  return isAsked ? 'fine' : 'unverified';
}
