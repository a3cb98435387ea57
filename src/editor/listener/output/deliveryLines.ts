import type { Attempt, Delivery } from '../../../contract/delivery.ts';
import { appWidths, deliveryLine, replayLine, unkeptLines } from '../../../deliveries/deliveryLine.ts';
import { clockTime } from '../../../shared/text/durationText.ts';
import { type ForwardTargets, targetOf } from '../../../deliveries/destination.ts';
import { forwardLine, type LineTarget, withheldLine } from '../../../deliveries/forwardText.ts';
import { t } from '../../../shared/text/l10n.ts';
import { joined, type LinkedText, linkTo } from '../../../shared/text/linkedText.ts';
import { oneLine } from '../../../shared/text/plainText.ts';
import type { Listener } from '../listener.ts';

/** How long lines are batched, in milliseconds: VS Code rereads the whole output on every append. */
const gatherMs = 100;
/**
 * How long a line waits for the handler's response before it is written without it, in milliseconds. That of a mismatch
 * waits for its reason: the response of its run may tell more of it than the listener has found.
 */
const lineWaitMs = 500;
/** How many deliveries are remembered after their line was written. */
const maxWritten = 10_000;

/** A line as shown. Text from outside cannot forge a second line in it. */
export interface OutputLine {
  text: string;
  /** The delivery or run that the line is about, and which parts of the text are links. */
  of?: { id: string } & Pick<LinkedText<LineTarget>, 'links'>;
}

/** What is remembered of a delivery whose line was written. */
interface Written {
  receivedAt: string;
  reason: string | undefined;
  isUnanswered: boolean;
  writtenUntil: string;
}

/** Makes one line per delivery, for any kind of output. */
export class DeliveryLines {
  readonly #write: (lines: readonly OutputLine[]) => void;
  readonly #owned: readonly { dispose(): unknown }[];
  /** Deliveries without a line yet, in order of arrival, and until when they wait for the local app (`performance.now()`). */
  readonly #pending = new Map<string, { delivery: Delivery; until: number }>();
  /**
   * Deliveries that have a line: when they arrived, the reason in it, whether it lacks the handler's response, and up to
   * what time their attempts have lines.
   */
  readonly #written = new Map<string, Written>();
  /** Attempts made before this time get no line. */
  readonly #startedAt = new Date().toISOString();
  /** Cached: reading the settings for each delivery of a burst would keep the extension host busy. */
  #targets: ForwardTargets;
  #lines: OutputLine[] = [];
  #timer: NodeJS.Timeout | undefined;
  #appWidth: number = appWidths.least;

  /** @param write takes each batch of lines, in order */
  constructor(listener: Listener, write: (lines: readonly OutputLine[]) => void) {
    this.#write = write;
    const { destinations } = listener;
    this.#targets = destinations.forward;
    this.#owned = [
      listener.onDidReceiveNews((news) => {
        for (const delivery of news.arrived) this.#arrived(delivery);
        for (const delivery of news.changed) this.#changed(delivery);
        for (const { runId, ...line } of unkeptLines(news, this.#appWidth)) {
          if (runId === undefined) this.add(line.text);
          else this.#addOf(runId, line);
        }
      }),
      destinations.onDidChange(() => {
        this.#targets = destinations.forward;
      }),
    ];
  }

  /** Adds a line that is not about a delivery. */
  add(line: string): void {
    this.#add({ text: oneLine(line) });
  }

  /** Writes the batched lines, in the order in which deliveries arrived, not that of the responses. */
  flush(): void {
    for (const [id, { delivery, until }] of this.#pending) {
      if (until > performance.now()) break;
      this.#pending.delete(id);
      this.#line(delivery);
    }
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) this.#write(lines);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size > 0) this.#flushSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#owned) one.dispose();
  }

  #arrived(delivery: Delivery): void {
    const { length } = delivery.appName ?? '';
    this.#appWidth = Math.min(Math.max(this.#appWidth, length), appWidths.most);
    const waits = delivery.isForwarding === true || delivery.verdict === 'mismatch';
    const until = waits ? performance.now() + lineWaitMs : 0;
    this.#pending.set(delivery.id, { delivery, until });
    this.#flushSoon();
  }

  #changed(delivery: Delivery): void {
    const { id, receivedAt, forward, reason, attempts = [] } = delivery;
    const pending = this.#pending.get(id);
    if (pending !== undefined) {
      const isRefined = pending.delivery.reason !== undefined && pending.delivery.reason !== reason;
      this.#pending.set(id, { delivery, until: forward === undefined && !isRefined ? pending.until : 0 });
      return;
    }
    const written = this.#written.get(id);
    if (written !== undefined && reason !== undefined && written.reason !== reason) {
      this.#remember(id, { ...written, reason });
      this.#addOf(id, reasonLine(delivery, reason));
    }
    // One that was on its way to the handler before this window was there.
    if (
      written === undefined &&
      attempts.some(({ kind, at }) => kind === 'forward' && at > this.#startedAt)
    ) {
      this.#line(delivery);
      return;
    }
    const { writtenUntil = this.#startedAt, isUnanswered = false } = written ?? {};
    const newAttempts = attempts.filter(({ at }) => at > writtenUntil);
    for (const attempt of newAttempts) {
      if (attempt.kind !== 'forward') this.#addOf(id, replayLine(delivery, attempt, this.#appWidth));
      else if (isUnanswered) this.#addOf(id, lateLine(delivery, attempt));
    }
    const last = newAttempts.at(-1);
    if (last === undefined) return;
    const isStillUnanswered = isUnanswered && newAttempts.every(({ kind }) => kind !== 'forward');
    this.#remember(id, { receivedAt, reason, isUnanswered: isStillUnanswered, writtenUntil: last.at });
  }

  #line(delivery: Delivery): void {
    const { id, appName, receivedAt, reason, forward, isForwarding, attempts = [] } = delivery;
    const line = deliveryLine(delivery, {
      firstAt: (first) => this.#written.get(first)?.receivedAt,
      withheld: withheldBy(appName, this.#targets),
      appWidth: this.#appWidth,
    });
    this.#addOf(id, line);
    const isUnanswered = isForwarding === true && forward === undefined;
    this.#remember(id, { receivedAt, reason, isUnanswered, writtenUntil: attempts.at(-1)?.at ?? '' });
  }

  #remember(id: string, line: Written): void {
    this.#written.set(id, line);
    const [oldest] = this.#written.keys();
    if (this.#written.size > maxWritten && oldest !== undefined) this.#written.delete(oldest);
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

/** The line for a response of the handler that came after the delivery's line was written. */
function lateLine(delivery: Delivery, attempt: Attempt): LinkedText<LineTarget> {
  return joined([...late(delivery), forwardLine({ ...delivery, forward: attempt }, true)]);
}

/** The line for a reason that was found after it. */
function reasonLine(delivery: Delivery, reason: string): LinkedText<LineTarget> {
  return joined([...late(delivery), `${reason} `, linkTo<LineTarget>('explanation', t('(Explain)'))]);
}

function late({ receivedAt }: Delivery): (string | LinkedText<LineTarget>)[] {
  const of = t('of {0}', clockTime(new Date(receivedAt)));
  return [linkTo<LineTarget>('delivery', clockTime(new Date())), `    ${of}  `];
}

/** Says that an app's deliveries are not forwarded because the user has refused the address or not answered yet. */
function withheldBy(
  appName: string | undefined,
  targets: ForwardTargets,
): LinkedText<LineTarget> | undefined {
  const target = targetOf(appName, targets);
  if (target.kind !== 'unanswered' && target.kind !== 'refused') return undefined;
  return withheldLine(new URL(target.to), target.kind);
}
