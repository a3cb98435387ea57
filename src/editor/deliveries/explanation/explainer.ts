import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { answerStatusText } from '../../../model/deliveries/deliveryLine.ts';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { evidenceOf, type ExplanationWork } from '../../../webhooks/explanation/explanationWork.ts';
import { explainInThread } from '../../../webhooks/explanation/explainInThread.ts';
import type { Explanation } from '../../../webhooks/explanation/explanation.ts';
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

/** What is to be explained. */
type Asked = Omit<ExplanationWork, 'messages'>;

/** What the explainer takes of the listener. */
type Source = Pick<Listener, 'get' | 'secrets' | 'onDidChangeDelivery' | 'onDidForget'>;

/**
 * Explains deliveries in a thread of their own, one at a time: what a stranger sent may take seconds to explain. Each
 * is explained once, however often it is asked for, until a secret or the delivery changes.
 */
export class Explainer implements vscode.Disposable {
  readonly #workerFile: string;
  readonly #source: Source;
  /** By the id of the delivery, those that were asked for last at the end; with the digest of what else they depend on. */
  readonly #kept = new Map<string, { held: string; explained: Promise<Explained> }>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #turns = new Turns();
  readonly #end = new AbortController();

  constructor(context: vscode.ExtensionContext, source: Source) {
    this.#workerFile = context.asAbsolutePath('dist/explanation.worker.js');
    this.#source = source;
    this.#subscriptions = [
      source.onDidForget(() => this.#kept.clear()),
      source.onDidChangeDelivery(({ id }) => this.#kept.delete(id)),
    ];
  }

  /**
   * Why a kept delivery verifies or does not.
   * @param signal breaks it off, for all who wait for it
   */
  async delivery(id: string, signal?: AbortSignal): Promise<Explained> {
    const secrets = await this.#source.secrets();
    const toleranceSeconds = config.timestampToleranceSeconds();
    // A digest, so that no secret is held here.
    const held = hash('sha256', JSON.stringify({ secrets, toleranceSeconds }));
    const before = this.#kept.get(id);
    this.#kept.delete(id);
    if (before?.held === held) {
      this.#kept.set(id, before);
      return before.explained;
    }
    const explained = this.#explain(async () => {
      const delivery = await this.#source.get(id);
      const about = { lines: headingOf(delivery), verdict: delivery.verdict };
      return { ...evidenceOf(delivery, secrets, toleranceSeconds), about };
    }, signal);
    this.#kept.set(id, { held, explained });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    explained.catch(() => this.#kept.delete(id));
    return explained;
  }

  /** The same of a request that somebody pasted. */
  request(evidence: Asked, signal: AbortSignal): Promise<Explanation> {
    return this.#explain(() => evidence, signal);
  }

  dispose(): void {
    this.#end.abort();
    for (const one of this.#subscriptions) one.dispose();
  }

  #explain(ask: () => Asked | Promise<Asked>, signal?: AbortSignal): Promise<Explained> {
    const ended = AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]);
    return this.#turns.next(async () => {
      const work = { ...(await ask()), messages: { ...vscode.l10n.bundle } };
      return { ...(await explainInThread(this.#workerFile, work, ended)), at: Date.now() };
    });
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
