import * as vscode from 'vscode';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import { clockTime, deliveryLine, refusedLine } from '../../../model/deliveries/deliveryLine.ts';
import type { ForwardTarget } from '../../../model/deliveries/destination.ts';
import { forwardLine, type LineTarget, withheldLine } from '../../../model/deliveries/forwardText.ts';
import type { Arrival } from '../../../model/processes/listenerProtocol.ts';
import { t } from '../../../model/text/l10n.ts';
import { joined, type LinkedText, linkTo } from '../../../model/text/linkedText.ts';
import { oneLine } from '../../../model/text/oneLine.ts';
import type { ListenerState } from '../../../model/processes/listenerState.ts';
import { config } from '../../config.ts';
import { deliveriesLanguageId } from '../../ids.ts';
import type { LineIndex } from '../../../model/deliveries/lineIndex.ts';
import type { Listener } from '../listener.ts';

/** For every append VS Code reads the whole output again: lines are gathered this long, or until they are this many characters. */
const gatherMs = 50;
const gatherCharacters = 1024 * 1024;
/** After an append of more characters than this, the next lines are gathered for longer. */
const floodCharacters = 8 * 1024;
const floodMs = 200;
/** How long a line waits for what the local app answers before it is written without. */
const forwardWaitMs = 500;

/** The output channel *Runhook Deliveries*: one line a delivery. */
export class DeliveriesOutput implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Runhook Deliveries', deliveriesLanguageId);
  readonly #lines: LineIndex;
  readonly #owned: readonly { dispose(): unknown }[];
  /** Lines that wait, by delivery: for the answer of the local app, or without a timer for the lines before them. */
  readonly #held = new Map<string, { arrival: Arrival; timer?: NodeJS.Timeout }>();
  /** Deliveries whose line was written before the local app had answered. */
  readonly #unanswered = new Set<string>();
  /** When the deliveries of this session came, for the lines of their repeats. */
  readonly #times = new Map<string, string>();
  /** Why deliveries are not handed on. Kept, since reading settings for each of a burst would keep the host busy. */
  #withheld: LinkedText<LineTarget> | undefined;
  #text = '';
  #isFlood = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(listener: Listener, lines: LineIndex) {
    this.#lines = lines;
    const { destinations } = listener;
    const lookWhereTo = (): void => {
      this.#withheld = withheldBy(destinations.forward);
    };
    lookWhereTo();
    this.#owned = [
      this.#channel,
      listener.onDidArrive((arrivals) => {
        for (const arrival of arrivals) this.#arrived(arrival);
        this.#forgetOldTimes();
      }),
      listener.onDidChangeDelivery((delivery) => this.#changed(delivery)),
      listener.onDidRefuse((refused) => {
        for (const one of refused) this.#append(refusedLine(one));
      }),
      listener.onDidMiss((count) => {
        this.#append(
          count === 1
            ? t('A delivery arrived while no window was open.')
            : t('{0} deliveries arrived while no window was open.', count),
        );
      }),
      destinations.onDidChange(lookWhereTo),
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
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    for (const one of this.#owned) one.dispose();
  }

  #arrived(arrival: Arrival): void {
    const { delivery } = arrival;
    this.#times.set(delivery.id, delivery.receivedAt);
    if (arrival.isHandedOn !== true) {
      this.#held.set(delivery.id, { arrival });
      this.#writeReady();
      return;
    }
    const timer = setTimeout(() => {
      this.#held.set(delivery.id, { arrival });
      this.#writeReady();
    }, forwardWaitMs);
    this.#held.set(delivery.id, { arrival, timer });
  }

  /** In the order in which the deliveries came, which is not that of their answers. */
  #writeReady(): void {
    for (const [id, { arrival, timer }] of this.#held) {
      if (timer !== undefined) return;
      this.#held.delete(id);
      this.#write(arrival);
    }
  }

  #forgetOldTimes(): void {
    let excess = this.#times.size - config.deliveriesKeep();
    for (const id of this.#times.keys()) {
      if (excess <= 0) break;
      excess -= 1;
      this.#times.delete(id);
      this.#unanswered.delete(id);
    }
  }

  #changed(delivery: Delivery): void {
    const { forward } = delivery;
    if (forward === undefined) return;
    const held = this.#held.get(delivery.id);
    if (held !== undefined) {
      clearTimeout(held.timer);
      this.#held.set(delivery.id, { arrival: { ...held.arrival, delivery } });
      this.#writeReady();
    } else if (this.#unanswered.delete(delivery.id)) {
      const of = clockTime(new Date(delivery.receivedAt));
      const parts = [
        linkTo<LineTarget>('delivery', clockTime(new Date())),
        `    ${t('of {0}', of)}  `,
        forwardLine({ ...delivery, forward }),
      ];
      this.#append(joined(parts), delivery.id);
    }
  }

  #write(arrival: Arrival): void {
    const { delivery, isHandedOn } = arrival;
    if (isHandedOn === true && delivery.forward === undefined) this.#unanswered.add(delivery.id);
    const line = deliveryLine(arrival, {
      firstAt: (id) => this.#times.get(id),
      withheld: this.#withheld,
    });
    this.#append(line, delivery.id);
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
    if (typeof line !== 'string' && id !== undefined) this.#lines.add(safe, { id, links: line.links });
    this.#text += `${safe}\n`;
    if (this.#text.length >= gatherCharacters) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#isFlood ? floodMs : gatherMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isFlood = this.#text.length > floodCharacters;
    if (this.#text !== '') this.#channel.append(this.#text);
    this.#text = '';
  }
}

function withheldBy(forward: ForwardTarget): LinkedText<LineTarget> | undefined {
  if (forward.kind !== 'unanswered' && forward.kind !== 'refused') return undefined;
  return withheldLine(new URL(forward.to), forward.kind);
}
