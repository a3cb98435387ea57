import type { News } from '../processes/listenerProtocol.ts';
import { t } from '../text/l10n.ts';
import { mostToLookAt } from './delivery.ts';
import { markOf } from './outcomeText.ts';

/** So many that were opened one by one are remembered. */
const mostOpened = 200;

/** How far somebody has looked: what a window remembers over a reload. */
export interface LookedAt {
  /** All whose outcome came up to this revision of the store. */
  readonly revision: number;
  /** Those of later ones that were opened. */
  readonly opened: readonly string[];
}

/**
 * The deliveries that need a look: those that did not verify or that the app refused, until they are seen in the view
 * or opened, or a replay has mended them.
 */
export class DeliveriesToLookAt {
  readonly #ids = new Set<string>();
  #lookedAt: LookedAt | undefined;
  /** Up to which revision this window was told; undefined before that is known. */
  #told: number | undefined;
  #isInSight = false;

  /** @param lookedAt what was remembered; undefined in a window that never was told of any */
  constructor(lookedAt: LookedAt | undefined) {
    this.#lookedAt = lookedAt;
  }

  get count(): number {
    return this.#ids.size;
  }

  /** To be remembered. It is another object whenever it has changed. */
  get lookedAt(): LookedAt | undefined {
    return this.#lookedAt;
  }

  /** Takes what the store holds of them: all that need a look since the revision that was looked at. */
  restore({ ids, revision }: { ids: readonly string[]; revision: number }): void {
    const { opened } = (this.#lookedAt ??= { revision, opened: [] });
    this.#told = revision;
    this.#ids.clear();
    // The store gives the last first.
    for (const id of ids.toReversed()) if (!opened.includes(id)) this.#ids.add(id);
    if (this.#isInSight) this.#lookedAtAll();
  }

  take({ upserts, revision }: Pick<News, 'upserts' | 'revision'>): void {
    this.#told = revision;
    const before = this.#ids.size;
    for (const { delivery, isJudged } of upserts) {
      if (markOf(delivery) === 'verified') this.#ids.delete(delivery.id);
      else if (isJudged) this.#add(delivery.id);
    }
    if (this.#isInSight || (before > 0 && this.#ids.size === 0)) this.#lookedAtAll();
  }

  /** Whether the view that shows them is: then they are seen as they come. */
  setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    if (isInSight) this.#lookedAtAll();
  }

  /** One was opened. */
  open(id: string): void {
    if (!this.#ids.delete(id) || this.#lookedAt === undefined) return;
    if (this.#ids.size === 0) this.#lookedAtAll();
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

  /** None is left: what came up to now need not be asked for again. */
  #lookedAtAll(): void {
    this.#ids.clear();
    if (this.#told !== undefined) this.#remember({ revision: this.#told, opened: [] });
  }

  #remember(changed: Partial<LookedAt>): void {
    if (this.#lookedAt !== undefined) this.#lookedAt = { ...this.#lookedAt, ...changed };
  }
}

/** How many need a look. */
export function toLookAtText(count: number): string {
  if (count === 1) return t('1 delivery needs a look');
  return t('{0} deliveries need a look', count < mostToLookAt ? count : `${mostToLookAt}+`);
}
