import * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../../model/deliveries/delivery.ts';
import { clockTime, deliveryLine, replayLine, unkeptLines } from '../../../model/deliveries/deliveryLine.ts';
import { type ForwardTargets, targetOf } from '../../../model/deliveries/destination.ts';
import { forwardLine, type LineTarget, withheldLine } from '../../../model/deliveries/forwardText.ts';
import type { Arrival } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { joined, type LinkedText, linkTo } from '../../../model/text/linkedText.ts';
import { oneLine } from '../../../model/text/oneLine.ts';
import type { ListenerState } from '../../../model/processes/listenerState.ts';
import { deliveriesLanguageId } from '../../ids.ts';
import type { Listener } from '../listener.ts';
import type { DeliveryLinks } from './deliveryLinks.ts';

/** For every append VS Code reads the whole output again: lines are gathered this long. */
const gatherMs = 100;
/** How long a line waits for what the local app answers before it is written without. */
const forwardWaitMs = 500;
/** So many deliveries are remembered after their line. */
const remembered = 10_000;

/** The output channel *Runhook Deliveries*: one line a delivery. */
export class DeliveriesOutput implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Runhook Deliveries', deliveriesLanguageId);
  readonly #links: DeliveryLinks;
  readonly #owned: readonly { dispose(): unknown }[];
  /** Deliveries without a line yet, in the order in which they came; until when they wait for the local app. */
  readonly #held = new Map<string, { arrival: Arrival; until: number }>();
  /**
   * Deliveries that have a line: when they came, whether what the local app answers is missing in it, and until when
   * their attempts have one.
   */
  readonly #written = new Map<string, { receivedAt: string; isUnanswered: boolean; toldUpTo: string }>();
  /** Attempts from before this window have none. */
  readonly #since = new Date().toISOString();
  /** Kept, since reading settings for each of a burst would keep the host busy. */
  #targets: ForwardTargets;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(listener: Listener, links: DeliveryLinks) {
    this.#links = links;
    const { destinations } = listener;
    this.#targets = destinations.forward;
    this.#owned = [
      this.#channel,
      listener.onDidReceiveNews((news) => {
        for (const upsert of news.upserts) {
          if (upsert.isNew) this.#arrived(upsert);
          else this.#changed(upsert.delivery);
        }
        for (const line of unkeptLines(news)) this.#append(line);
      }),
      listener.onDidMiss((count) => {
        this.#append(
          count === 1
            ? t('A delivery arrived while no window was open.')
            : t('{0} deliveries arrived while no window was open.', count),
        );
      }),
      destinations.onDidChange(() => {
        this.#targets = destinations.forward;
      }),
      listener.onDidChangeState((state) => this.#stateChanged(state)),
    ];
  }

  show(): void {
    this.#flush();
    this.#channel.show(true);
  }

  /** Writes a line that tells of no delivery. */
  say(line: string): void {
    this.#append(`${clockTime(new Date())}  ${line}`);
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
      if (attempt.kind !== 'forward') this.#append(replayLine(delivery, attempt), id);
      else if (isUnanswered) this.#append(lateLine(delivery, attempt), id);
    }
    const last = untold.at(-1);
    if (last === undefined) return;
    const isStill = isUnanswered && untold.every(({ kind }) => kind !== 'forward');
    this.#remember(id, { receivedAt, isUnanswered: isStill, toldUpTo: last.at });
  }

  #write(arrival: Arrival): void {
    const { id, appName, receivedAt, forward, attempts = [] } = arrival.delivery;
    const line = deliveryLine(arrival, {
      firstAt: (first) => this.#written.get(first)?.receivedAt,
      withheld: withheldBy(appName, this.#targets),
    });
    this.#append(line, id);
    const isUnanswered = arrival.isForwarding === true && forward === undefined;
    this.#remember(id, { receivedAt, isUnanswered, toldUpTo: attempts.at(-1)?.at ?? '' });
  }

  #remember(id: string, line: { receivedAt: string; isUnanswered: boolean; toldUpTo: string }): void {
    this.#written.set(id, line);
    const [oldest] = this.#written.keys();
    if (this.#written.size > remembered && oldest !== undefined) this.#written.delete(oldest);
  }

  #stateChanged(state: ListenerState): void {
    if (state.kind === 'listening') {
      this.#append(
        state.publicUrl === undefined
          ? t(
              'Runhook listens on {0} (this machine only). To let the service reach it, run "Runhook: Open Tunnel" or set a public URL.',
              state.url,
            )
          : t('Runhook listens on {0}, public as {1}.', state.url, state.publicUrl),
      );
      if (state.problem !== undefined) {
        this.#append(t('Deliveries cannot be stored, so they get no answer: {0}', state.problem));
      }
    }
    if (state.kind === 'stopped') this.#append(t('The listener has stopped.'));
    if (state.kind === 'failed') this.#append(state.reason);
    if (state.kind === 'starting' && state.reason !== undefined) this.#append(state.reason);
  }

  /** @param id of the delivery that the line tells of */
  #append(line: string | LinkedText<LineTarget>, id?: string): void {
    const safe = oneLine(typeof line === 'string' ? line : line.text);
    if (typeof line !== 'string' && id !== undefined) this.#links.add(safe, { id, links: line.links });
    this.#text += `${safe}\n`;
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  /** In the order in which the deliveries came, which is not that of their answers. */
  #flush(): void {
    for (const [id, { arrival, until }] of this.#held) {
      if (until > Date.now()) break;
      this.#held.delete(id);
      this.#write(arrival);
    }
    if (this.#text !== '') this.#channel.append(this.#text);
    this.#text = '';
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held.size > 0) this.#flushSoon();
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
