import { clockTime, deliveryLine, unkeptLines } from '../../model/deliveries/deliveryLine.ts';
import { forwardText } from '../../model/deliveries/forwardText.ts';
import type { News, Upsert } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { printJson, printLine } from '../print.ts';

/** How long a line waits for the local app's answer before it is checked again, in milliseconds. */
const answerMs = 500;

export interface DeliveryPrinterOptions {
  /** When the delivery that another one repeats arrived; undefined if it is no longer kept. */
  firstAt: (id: string) => string | undefined;
  isForwarding: (id: string) => boolean;
  /** Whether lines are JSON: then a line waits until the local app has answered, since no second line follows. */
  isJson: boolean;
}

/** Prints a line for each delivery that arrives. */
export class DeliveryPrinter {
  readonly #options: DeliveryPrinterOptions;
  /** Deliveries whose line waits for the local app, by id. */
  readonly #waiting = new Map<string, { upsert: Upsert; timer: NodeJS.Timeout }>();
  /** Ids of deliveries whose line was printed before the local app had answered. */
  readonly #unanswered = new Set<string>();

  constructor(options: DeliveryPrinterOptions) {
    this.#options = options;
  }

  print(news: News): void {
    for (const upsert of news.upserts) this.#take(upsert);
    if (!this.#options.isJson) for (const line of unkeptLines(news)) printLine(line);
  }

  /** Prints the lines that wait. Call it last. */
  end(): void {
    for (const { upsert, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      this.#print(upsert);
    }
    this.#waiting.clear();
  }

  #take(upsert: Upsert): void {
    const { delivery, isNew } = upsert;
    const { id, forward } = delivery;
    const waiting = this.#waiting.get(id);
    if (isNew && upsert.isForwarding === true && forward === undefined) {
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

  /** Polls, since a repeat of a delivery that the local app has taken is not forwarded, and no upsert follows. */
  #lookAgain(upsert: Upsert): void {
    const { isForwarding, isJson } = this.#options;
    const { id } = upsert.delivery;
    const isUnderWay = isForwarding(id);
    if (isUnderWay && isJson) {
      this.#wait(upsert);
      return;
    }
    this.#waiting.delete(id);
    if (isUnderWay) this.#unanswered.add(id);
    const { delivery, sinceRunMs, isNew } = upsert;
    const taken = isUnderWay ? { isForwarding: true as const } : { wasTaken: true as const };
    this.#print({ delivery, isNew, ...(sinceRunMs !== undefined && { sinceRunMs }), ...taken });
  }

  #print(upsert: Upsert): void {
    const { firstAt, isJson } = this.#options;
    if (isJson) printJson(upsert.delivery);
    else printLine(deliveryLine(upsert, { firstAt }).text);
  }
}
