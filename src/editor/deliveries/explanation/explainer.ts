import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { answerStatusText } from '../../../model/deliveries/deliveryLine.ts';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { gaveSecret } from '../../../model/runs/givenSecret.ts';
import type { Run } from '../../../model/runs/run.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { evidenceOf, type ExplanationWork } from '../../../webhooks/explanation/explanationWork.ts';
import { explainInThread } from '../../../webhooks/explanation/explainInThread.ts';
import type { Explanation } from '../../../webhooks/explanation/explanation.ts';
import { config } from '../../config.ts';
import type { Listener } from '../../listener/feature.ts';
import { Turns } from '../../../model/async/turns.ts';
import { timeText, titleOf } from '../view/deliveryItem.ts';

/** So many explanations are remembered: a page asks again whenever it was hidden. */
const mostKept = 8;

/** An explanation with the title of its tab. */
export interface TitledExplanation extends Explanation {
  title: string;
}

/** What is to be explained. */
type Asked = Omit<ExplanationWork, 'messages'>;

/** What the explainer takes of the listener. */
type Source = Pick<Listener, 'get' | 'secrets' | 'onDidChangeDelivery' | 'onDidForget'>;

/** The runs of this window. */
interface Runs {
  all(): readonly Run[];
  readonly onDidChange: vscode.Event<Run>;
}

/**
 * Explains deliveries in a thread of their own, one at a time: what a stranger sent may take seconds to explain. Each
 * is explained once, however often it is asked for, until a secret or the delivery changes.
 */
export class Explainer implements vscode.Disposable {
  readonly #workerFile: string;
  readonly #source: Source;
  readonly #runs: Runs;
  /** By the id of the delivery, those that were asked for last at the end; with the digest of what else they depend on. */
  readonly #kept = new Map<string, { held: string; explained: Promise<TitledExplanation> }>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #turns = new Turns();
  readonly #end = new AbortController();
  readonly #explained = new vscode.EventEmitter<TitledExplanation>();
  /** A delivery that is kept was explained. */
  readonly onDidExplain = this.#explained.event;

  constructor(context: vscode.ExtensionContext, source: Source, runs: Runs) {
    this.#workerFile = context.asAbsolutePath('dist/explanation.worker.js');
    this.#source = source;
    this.#runs = runs;
    this.#subscriptions = [
      source.onDidForget(() => this.#kept.clear()),
      source.onDidChangeDelivery(({ id }) => this.#kept.delete(id)),
      // Only now may it be known that Runhook gave the secret.
      runs.onDidChange(({ delivery }) => delivery && this.#kept.delete(delivery.id)),
    ];
  }

  /**
   * Why a kept delivery verifies or does not.
   * @param signal breaks it off, for all who wait for it
   */
  async delivery(id: string, signal?: AbortSignal): Promise<TitledExplanation> {
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
      const isGiven = gaveSecret(this.#runs.all(), delivery);
      const title = t('Explain {0}', tabName(delivery));
      return { title, asked: { ...evidenceOf(delivery, secrets, toleranceSeconds), about, isGiven } };
    }, signal);
    this.#kept.set(id, { held, explained });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    explained.then(
      (one) => this.#explained.fire(one),
      () => this.#kept.delete(id),
    );
    return explained;
  }

  /** The same of a request that somebody pasted. */
  request(asked: Asked, signal: AbortSignal): Promise<TitledExplanation> {
    return this.#explain(() => Promise.resolve({ title: t('Verify a Signature'), asked }), signal);
  }

  dispose(): void {
    this.#end.abort();
    for (const one of this.#subscriptions) one.dispose();
    this.#explained.dispose();
  }

  #explain(
    ask: () => Promise<{ title: string; asked: Asked }>,
    signal?: AbortSignal,
  ): Promise<TitledExplanation> {
    const ended = AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]);
    return this.#turns.next(async () => {
      const { title, asked } = await ask();
      const work = { ...asked, messages: { ...vscode.l10n.bundle } };
      return { ...(await explainInThread(this.#workerFile, work, ended)), title };
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

/** What tells the tabs of deliveries apart: "echo 2:13:22". */
function tabName({ appName, runId, path, receivedAt }: Delivery): string {
  return `${plainText(appName ?? runId ?? path, 40)} ${timeText(receivedAt)}`;
}
