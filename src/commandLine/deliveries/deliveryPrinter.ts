import { clockTime, deliveryLine, refusedLine } from '../../model/deliveries/deliveryLine.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { forwardText } from '../../model/deliveries/forwardText.ts';
import type { Refused, Upsert } from '../../model/processes/listenerProtocol.ts';
import { UserError } from '../../model/text/userError.ts';
import type { DeliveryStore } from '../../listener/store/deliveryStore.ts';
import { upsertOf } from '../../listener/store/upsertOf.ts';
import { printJson, printLine } from '../print.ts';
import { t } from '../../model/text/l10n.ts';

/** How long changes are gathered before they are read, and how many are read in one go. Milliseconds. */
const gatherMs = 10;
const atOnce = 500;
/** How long a line waits for what the local app answers before it is looked at again. */
const answerMs = 500;

export interface DeliveryPrinterOptions {
  store: Pick<DeliveryStore, 'changedAfter' | 'get' | 'revision' | 'takenStatus'>;
  isHandingOn: (id: string) => boolean;
  /** Whether a line is JSON: then it waits until the local app has answered, since no other follows. */
  isJson: boolean;
}

/** Prints a line for each delivery that comes. */
export class DeliveryPrinter {
  readonly #options: DeliveryPrinterOptions;
  #place: number;
  #timer: NodeJS.Timeout | undefined;
  /** Whose line waits for the local app. */
  readonly #waiting = new Map<string, { upsert: Upsert; timer: NodeJS.Timeout }>();
  /** Whose line was printed before the local app had answered. */
  readonly #unanswered = new Set<string>();

  constructor(options: DeliveryPrinterOptions) {
    this.#options = options;
    this.#place = options.store.revision;
  }

  /** Something was added or changed. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#readOn();
    }, gatherMs);
  }

  refused(refused: Refused): void {
    if (!this.#options.isJson) printLine(refusedLine(refused));
  }

  /** Prints what has not been printed yet. Nothing follows. */
  end(): void {
    clearTimeout(this.#timer);
    this.#readOn();
    clearTimeout(this.#timer);
    for (const { upsert, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      this.#print(upsert);
    }
    this.#waiting.clear();
  }

  #readOn(): void {
    const { store, isHandingOn } = this.#options;
    for (;;) {
      const rows = store.changedAfter(this.#place, atOnce);
      const upserts = rows.map((row) => upsertOf(row, this.#place, store, isHandingOn));
      this.#place = rows.at(-1)?.revision ?? this.#place;
      for (const upsert of upserts) this.#take(upsert);
      if (rows.length < atOnce) return;
    }
  }

  #take(upsert: Upsert): void {
    const { delivery, isNew } = upsert;
    const { id, forward } = delivery;
    const waiting = this.#waiting.get(id);
    if (isNew && upsert.isHandedOn === true && forward === undefined) {
      this.#wait(upsert);
    } else if (isNew) {
      this.#print(upsert);
    } else if (waiting !== undefined && forward !== undefined) {
      clearTimeout(waiting.timer);
      this.#waiting.delete(id);
      this.#print(upsert);
    } else if (forward !== undefined && this.#unanswered.delete(id)) {
      const of = clockTime(new Date(delivery.receivedAt));
      printLine(`${clockTime(new Date())}    ${t('of {0}', of)}  ${forwardText({ ...delivery, forward })}`);
    }
  }

  #wait(upsert: Upsert): void {
    const { id } = upsert.delivery;
    const timer = setTimeout(() => this.#lookAgain(upsert), answerMs);
    this.#waiting.set(id, { upsert, timer });
  }

  /** A repeat of what the local app has taken is handed on no more, and so never changes. */
  #lookAgain(upsert: Upsert): void {
    const { isHandingOn, isJson } = this.#options;
    const { id } = upsert.delivery;
    const isHandedOn = isHandingOn(id);
    if (isHandedOn && isJson) {
      this.#wait(upsert);
      return;
    }
    this.#waiting.delete(id);
    if (isHandedOn) this.#unanswered.add(id);
    const { delivery, sinceRunMs, isNew } = upsert;
    const taken = isHandedOn ? { isHandedOn: true as const } : { wasTaken: true as const };
    this.#print({ delivery, isNew, ...(sinceRunMs !== undefined && { sinceRunMs }), ...taken });
  }

  #print(upsert: Upsert): void {
    if (this.#options.isJson) printJson(upsert.delivery);
    else printLine(deliveryLine(upsert, { firstAt: (id) => this.#kept(id)?.receivedAt }).text);
  }

  #kept(id: string): Delivery | undefined {
    try {
      return this.#options.store.get(id);
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
  }
}
