import type { Delivery } from './delivery.ts';

/** A delivery without what takes room: the list holds a thousand of them, and bodies may be large. */
export type DeliverySummary = Omit<Delivery, 'body' | 'bodyEncoding' | 'headers'>;

/** A delivery and those that repeat it, the oldest repeat first. */
export interface DeliveryGroup {
  first: DeliverySummary;
  repeats: DeliverySummary[];
}

export function summarise(delivery: Delivery): DeliverySummary {
  const summary: DeliverySummary & Partial<Delivery> = { ...delivery };
  delete summary.body;
  delete summary.bodyEncoding;
  delete summary.headers;
  return summary;
}

/** The deliveries as the view shows them: newest first, repeats under the first of their kind. */
export class DeliveryList {
  /** Oldest first. */
  readonly #byId = new Map<string, DeliverySummary>();
  #groups: DeliveryGroup[] | undefined;

  get size(): number {
    return this.#byId.size;
  }

  /** The names of the apps that sent something, in order. */
  get apps(): string[] {
    return [...new Set([...this.#byId.values()].flatMap(({ appName }) => appName ?? []))].sort();
  }

  get(id: string): DeliverySummary | undefined {
    return this.#byId.get(id);
  }

  /** @param deliveries newest first; they take the place of all that was here */
  load(deliveries: readonly DeliverySummary[]): void {
    this.#byId.clear();
    for (const delivery of [...deliveries].reverse()) this.#byId.set(delivery.id, delivery);
    this.#groups = undefined;
  }

  /**
   * Takes in a new delivery.
   * @param keep how many remain, this one included
   */
  add(delivery: DeliverySummary, keep: number): void {
    this.#byId.set(delivery.id, delivery);
    for (const id of this.#byId.keys()) {
      if (this.#byId.size <= Math.max(1, keep)) break;
      this.#byId.delete(id);
    }
    this.#groups = undefined;
  }

  /** Takes in what got known of a delivery. False where it is not in the list. */
  change(delivery: DeliverySummary): boolean {
    if (!this.#byId.has(delivery.id)) return false;
    this.#byId.set(delivery.id, delivery);
    this.#groups = undefined;
    return true;
  }

  /** Newest first. A repeat whose first is not in the list stands for itself. */
  groups(): readonly DeliveryGroup[] {
    this.#groups ??= this.#group();
    return this.#groups;
  }

  #group(): DeliveryGroup[] {
    const groups = new Map<string, DeliveryGroup>();
    for (const delivery of this.#byId.values()) {
      const group = delivery.repeatOf === undefined ? undefined : groups.get(delivery.repeatOf);
      if (group) group.repeats.push(delivery);
      else groups.set(delivery.id, { first: delivery, repeats: [] });
    }
    return [...groups.values()].reverse();
  }
}
