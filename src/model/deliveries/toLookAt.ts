import type { News } from '../processes/listenerProtocol.ts';
import { t } from '../text/l10n.ts';
import { mostToLookAt } from './delivery.ts';
import { markOf } from './outcomeText.ts';

/** The maximum number of individually opened deliveries that are remembered. */
const mostOpened = 200;

/** What the user has looked at. A window keeps it across reloads. */
export interface LookedAt {
  /** All deliveries whose outcome came up to this revision of the store. */
  readonly revision: number;
  /** The ids of later deliveries that were opened. */
  readonly opened: readonly string[];
}

/**
 * The deliveries that need a look: those that did not verify or that the app refused, until they are seen in the view
 * or opened, or a replay succeeds.
 */
export class DeliveriesToLookAt {
  readonly #ids = new Set<string>();
  #lookedAt: LookedAt | undefined;
  /** The last revision that this window received; undefined before the first. */
  #lastRevision: number | undefined;
  #isInSight = false;

  /** @param lookedAt the kept state; undefined in a window that has never received a revision */
  constructor(lookedAt: LookedAt | undefined) {
    this.#lookedAt = lookedAt;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** The state to keep. It is a new object after every change. */
  get lookedAt(): LookedAt | undefined {
    return this.#lookedAt;
  }

  /** Loads what the store holds: all deliveries that need a look since the looked-at revision. */
  restore({ ids, revision }: { ids: readonly string[]; revision: number }): void {
    const { opened } = (this.#lookedAt ??= { revision, opened: [] });
    this.#lastRevision = revision;
    this.#ids.clear();
    // The store returns the newest first.
    for (const id of ids.toReversed()) if (!opened.includes(id)) this.#ids.add(id);
    if (this.#isInSight) this.#markAllLookedAt();
  }

  take({ upserts, revision }: Pick<News, 'upserts' | 'revision'>): void {
    this.#lastRevision = revision;
    const countBefore = this.#ids.size;
    for (const { delivery, isJudged } of upserts) {
      if (markOf(delivery) === 'verified') this.#ids.delete(delivery.id);
      else if (isJudged) this.#add(delivery.id);
    }
    if (this.#isInSight || (countBefore > 0 && this.#ids.size === 0)) this.#markAllLookedAt();
  }

  /** Sets whether the view of the deliveries is visible: while it is, they count as seen when they arrive. */
  setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    if (isInSight) this.#markAllLookedAt();
  }

  /** Notes that a delivery was opened. */
  open(id: string): void {
    if (!this.#ids.delete(id) || this.#lookedAt === undefined) return;
    if (this.#ids.size === 0) this.#markAllLookedAt();
    else this.#remember({ opened: [...this.#lookedAt.opened, id].slice(-mostOpened) });
  }

  #add(id: string): void {
    if (this.#lookedAt?.opened.includes(id) === true) {
      this.#remember({ opened: this.#lookedAt.opened.filter((one) => one !== id) });
    }
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > mostToLookAt && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Marks everything up to now as looked at, so that it is not asked for again. */
  #markAllLookedAt(): void {
    this.#ids.clear();
    if (this.#lastRevision !== undefined) this.#remember({ revision: this.#lastRevision, opened: [] });
  }

  #remember(changed: Partial<LookedAt>): void {
    if (this.#lookedAt !== undefined) this.#lookedAt = { ...this.#lookedAt, ...changed };
  }
}

/** How many deliveries need a look, in words. */
export function toLookAtText(count: number): string {
  if (count === 1) return t('1 delivery needs a look');
  return t('{0} deliveries need a look', count < mostToLookAt ? count : `${mostToLookAt}+`);
}
