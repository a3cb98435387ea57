import type { Attempt, Delivery } from '../../../model/deliveries/delivery.ts';
import { clockTime, deliveryLine, replayLine, unkeptLines } from '../../../model/deliveries/deliveryLine.ts';
import { type ForwardTargets, targetOf } from '../../../model/deliveries/destination.ts';
import { forwardLine, type LineTarget, withheldLine } from '../../../model/deliveries/forwardText.ts';
import type { Arrival } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { joined, type LinkedText, linkTo } from '../../../model/text/linkedText.ts';
import { oneLine } from '../../../model/text/oneLine.ts';
import type { Listener } from '../listener.ts';

/** Lines are gathered this long: for every append to its output VS Code reads the whole of it again. */
const gatherMs = 100;
/** How long a line waits for what the local app answers before it is written without. */
const forwardWaitMs = 500;
/** So many deliveries are remembered after their line. */
const remembered = 10_000;

/** A line as it is shown, in which no text of others can forge another one. */
export interface OutputLine {
  text: string;
  /** The delivery that it tells of, and which of its words lead somewhere. */
  of?: { id: string } & Pick<LinkedText<LineTarget>, 'links'>;
}

/** One line a delivery, for whoever shows them. */
export class DeliveryLines {
  readonly #write: (lines: readonly OutputLine[]) => void;
  readonly #owned: readonly { dispose(): unknown }[];
  /** Deliveries without a line yet, in the order in which they came; until when they wait for the local app. */
  readonly #held = new Map<string, { arrival: Arrival; until: number }>();
  /**
   * Deliveries that have a line: when they came, whether what the local app answers is missing in it, and until when
   * their attempts have one.
   */
  readonly #written = new Map<string, { receivedAt: string; isUnanswered: boolean; toldUpTo: string }>();
  /** Attempts from before have none. */
  readonly #since = new Date().toISOString();
  /** Kept, since reading settings for each of a burst would keep the host busy. */
  #targets: ForwardTargets;
  #lines: OutputLine[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param write takes what was gathered, in its order */
  constructor(listener: Listener, write: (lines: readonly OutputLine[]) => void) {
    this.#write = write;
    const { destinations } = listener;
    this.#targets = destinations.forward;
    this.#owned = [
      listener.onDidReceiveNews((news) => {
        for (const upsert of news.upserts) {
          if (upsert.isNew) this.#arrived(upsert);
          else this.#changed(upsert.delivery);
        }
        for (const line of unkeptLines(news)) this.add(line);
      }),
      destinations.onDidChange(() => {
        this.#targets = destinations.forward;
      }),
    ];
  }

  /** Adds a line that tells of no delivery. */
  add(line: string): void {
    this.#add({ text: oneLine(line) });
  }

  /** Writes what was gathered: in the order in which the deliveries came, which is not that of their answers. */
  flush(): void {
    for (const [id, { arrival, until }] of this.#held) {
      if (until > Date.now()) break;
      this.#held.delete(id);
      this.#line(arrival);
    }
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#write(lines);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held.size > 0) this.#flushSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#owned) one.dispose();
  }

  #arrived(arrival: Arrival): void {
    const until = arrival.isForwarding === true ? Date.now() + forwardWaitMs : 0;
    this.#held.set(arrival.delivery.id, { arrival, until });
    this.#flushSoon();
  }

  #changed(delivery: Delivery): void {
    const { id, forward, receivedAt, attempts = [] } = delivery;
    if (forward === undefined) return;
    const held = this.#held.get(id);
    if (held !== undefined) {
      this.#held.set(id, { arrival: { ...held.arrival, delivery }, until: 0 });
      return;
    }
    const { toldUpTo = this.#since, isUnanswered = false } = this.#written.get(id) ?? {};
    const untold = attempts.filter(({ at }) => at > toldUpTo);
    for (const attempt of untold) {
      if (attempt.kind !== 'forward') this.#addOf(id, replayLine(delivery, attempt));
      else if (isUnanswered) this.#addOf(id, lateLine(delivery, attempt));
    }
    const last = untold.at(-1);
    if (last === undefined) return;
    const isStill = isUnanswered && untold.every(({ kind }) => kind !== 'forward');
    this.#remember(id, { receivedAt, isUnanswered: isStill, toldUpTo: last.at });
  }

  #line(arrival: Arrival): void {
    const { id, appName, receivedAt, forward, attempts = [] } = arrival.delivery;
    const line = deliveryLine(arrival, {
      firstAt: (first) => this.#written.get(first)?.receivedAt,
      withheld: withheldBy(appName, this.#targets),
    });
    this.#addOf(id, line);
    const isUnanswered = arrival.isForwarding === true && forward === undefined;
    this.#remember(id, { receivedAt, isUnanswered, toldUpTo: attempts.at(-1)?.at ?? '' });
  }

  #remember(id: string, line: { receivedAt: string; isUnanswered: boolean; toldUpTo: string }): void {
    this.#written.set(id, line);
    const [oldest] = this.#written.keys();
    if (this.#written.size > remembered && oldest !== undefined) this.#written.delete(oldest);
  }

  #addOf(id: string, { text, links }: LinkedText<LineTarget>): void {
    this.#add({ text: oneLine(text), of: { id, links } });
  }

  #add(line: OutputLine): void {
    this.#lines.push(line);
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), gatherMs);
  }
}

/** What the local app has answered after the line of its delivery was written. */
function lateLine(delivery: Delivery, attempt: Attempt): LinkedText<LineTarget> {
  return joined([
    linkTo<LineTarget>('delivery', clockTime(new Date())),
    `    ${t('of {0}', clockTime(new Date(delivery.receivedAt)))}  `,
    forwardLine({ ...delivery, forward: attempt }),
  ]);
}

/** Why deliveries of an app are not forwarded where its route leads. */
function withheldBy(
  appName: string | undefined,
  targets: ForwardTargets,
): LinkedText<LineTarget> | undefined {
  const target = targetOf(appName, targets);
  if (target.kind !== 'unanswered' && target.kind !== 'refused') return undefined;
  return withheldLine(new URL(target.to), target.kind);
}
