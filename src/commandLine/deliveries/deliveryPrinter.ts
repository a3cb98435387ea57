import { clockTime, deliveryLine, unkeptLines } from '../../model/deliveries/deliveryLine.ts';
import { forwardText } from '../../model/deliveries/forwardText.ts';
import type { News, Upsert } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { printJson, printLine } from '../print.ts';

/** How long a line waits for what the local app answers before it is looked at again. Milliseconds. */
const answerMs = 500;

export interface DeliveryPrinterOptions {
  /** When a delivery came that is repeated, where it is still kept. */
  firstAt: (id: string) => string | undefined;
  isForwarding: (id: string) => boolean;
  /** Whether a line is JSON: then it waits until the local app has answered, since no other follows. */
  isJson: boolean;
}

/** Prints a line for each delivery that comes. */
export class DeliveryPrinter {
  readonly #options: DeliveryPrinterOptions;
  /** Whose line waits for the local app. */
  readonly #waiting = new Map<string, { upsert: Upsert; timer: NodeJS.Timeout }>();
  /** Whose line was printed before the local app had answered. */
  readonly #unanswered = new Set<string>();

  constructor(options: DeliveryPrinterOptions) {
    this.#options = options;
  }

  print(news: News): void {
    for (const upsert of news.upserts) this.#take(upsert);
    if (!this.#options.isJson) for (const line of unkeptLines(news)) printLine(line);
  }

  /** Prints what waits. Nothing follows. */
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

  /** A repeat of what the local app has taken is forwarded no more, and so never changes. */
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
    const { delivery, sinceRunMs, isNew, isJudged } = upsert;
    const taken = isUnderWay ? { isForwarding: true as const } : { wasTaken: true as const };
    this.#print({ delivery, isNew, isJudged, ...(sinceRunMs !== undefined && { sinceRunMs }), ...taken });
  }

  #print(upsert: Upsert): void {
    const { firstAt, isJson } = this.#options;
    if (isJson) printJson(upsert.delivery);
    else printLine(deliveryLine(upsert, { firstAt }).text);
  }
}
