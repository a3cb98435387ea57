import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { answerStatusText } from '../../../model/deliveries/answerStatusText.ts';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import type { HeldSecret } from '../../../model/secrets/webhookSecret.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { evidenceOf } from '../../../webhooks/diagnosis/evidence.ts';
import type { Explanation } from '../../../webhooks/explanation/explanation.ts';
import type { ExplanationWork } from '../../../webhooks/explanation/explanationThread.ts';
import { config } from '../../config.ts';
import type { Listener } from '../../listener/feature.ts';
import { Turns } from '../../../model/async/turns.ts';
import { titleOf } from '../view/deliveryItem.ts';

/** So many explanations are remembered: a document is read several times when it is opened. */
const mostKept = 8;

/** The explanation of a kept delivery, and when (Unix milliseconds) that was explained. */
export interface Explained extends Explanation {
  at: number;
}

/** What an explanation depends on besides the delivery; where any of it changes, it is made anew. */
interface Held {
  secrets: readonly HeldSecret[];
  toleranceSeconds: number;
}

/** What the explainer takes of the listener. */
type Source = Pick<Listener, 'get' | 'secrets' | 'onDidChangeDelivery' | 'onDidForget'>;

/**
 * Explains deliveries in a thread of their own, one at a time: what a stranger sent may take seconds to explain. Each
 * is explained once, however often it is asked for, until a secret or the delivery changes.
 */
export class Explainer implements vscode.Disposable {
  readonly #workerFile: string;
  readonly #source: Source;
  /** By the id of the delivery, those that were asked for last at the end. */
  readonly #kept = new Map<string, { held: string; work: SharedWork<Explained> }>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #turns = new Turns();

  constructor(context: vscode.ExtensionContext, source: Source) {
    this.#workerFile = context.asAbsolutePath('dist/explanation.worker.js');
    this.#source = source;
    const forgetAll = () => this.#kept.clear();
    this.#subscriptions = [
      context.secrets.onDidChange(forgetAll),
      source.onDidForget(forgetAll),
      source.onDidChangeDelivery(({ id }) => this.#kept.delete(id)),
    ];
  }

  /** Why a kept delivery verifies or does not. */
  async delivery(id: string, signal?: AbortSignal): Promise<Explained> {
    const secrets = await this.#source.secrets();
    const held = { secrets, toleranceSeconds: config.timestampToleranceSeconds() };
    // A digest, so that no secret is held here.
    const digest = hash('sha256', JSON.stringify(held));
    let kept = this.#kept.get(id);
    if (kept?.held !== digest || kept.work.isOver) {
      kept = { held: digest, work: this.#start(() => this.#workOf(id, held)) };
    }
    this.#keep(id, kept);
    return kept.work.wait(signal);
  }

  /** The same of a request that somebody pasted. */
  request(
    evidence: Omit<ExplanationWork, 'messages' | 'searchMs'>,
    signal: AbortSignal,
  ): Promise<Explanation> {
    return this.#start(() => Promise.resolve(evidence)).wait(signal);
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
    for (const { work } of this.#kept.values()) work.breakOff();
  }

  async #workOf(id: string, held: Held): Promise<Omit<ExplanationWork, 'messages' | 'searchMs'>> {
    const delivery = await this.#source.get(id);
    const about = { lines: headingOf(delivery), verdict: delivery.verdict };
    return { ...evidenceOf(delivery, held.secrets, held.toleranceSeconds), about };
  }

  #start(work: () => Promise<Omit<ExplanationWork, 'messages' | 'searchMs'>>): SharedWork<Explained> {
    return new SharedWork((signal) =>
      this.#turns.next(async () => {
        const { explainApart } = await import('../../../webhooks/explanation/explainApart.ts');
        const asked = { ...(await work()), messages: { ...vscode.l10n.bundle } };
        const explanation = await explainApart(this.#workerFile, asked, signal);
        return { ...explanation, at: Date.now() };
      }),
    );
  }

  #keep(id: string, kept: { held: string; work: SharedWork<Explained> }): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function headingOf(delivery: Delivery): string[] {
  const received = new Date(delivery.receivedAt).toLocaleString(vscode.env.language);
  const verdict = verdictText(delivery.verdict);
  return [
    t('Delivery {0}, received {1}', titleOf(delivery), received),
    t('Verdict on arrival: {0}, answered {1}', verdict, answerStatusText(delivery.answered)),
  ];
}

/** Work that several wait for. It is broken off when all of them have gone. */
class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #hasFailed = false;

  /** @param work rejects where its signal is aborted */
  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#abort.signal);
    this.#result.catch(() => {
      this.#hasFailed = true;
    });
  }

  /** Whether it has to be done anew. */
  get isOver(): boolean {
    return this.#hasFailed || this.#abort.signal.aborted;
  }

  breakOff(): void {
    this.#abort.abort();
  }

  /** @throws the reason of the signal where it is aborted, without waiting for the others */
  async wait(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#waiting += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (): void => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.breakOff();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    try {
      return await Promise.race([this.#result, left]);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }
}
