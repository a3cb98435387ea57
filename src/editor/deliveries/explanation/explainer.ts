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

/** How many explanations are cached. A page asks again whenever it was hidden. */
const maxCached = 8;

/** An explanation with the title of its tab. */
export interface TitledExplanation extends Explanation {
  title: string;
}

/** What to explain. */
type ExplainInput = Omit<ExplanationWork, 'messages'>;

/** The part of the listener that the explainer uses. */
type Source = Pick<Listener, 'get' | 'secrets' | 'onDidChangeDelivery' | 'onDidForget'>;

/** The runs of this window. */
interface Runs {
  all(): readonly Run[];
  readonly onDidChange: vscode.Event<Run>;
}

/**
 * Explains deliveries in a worker thread, one at a time: a delivery from a stranger may take seconds to explain. The
 * explanation is cached until a secret, the tolerance or the delivery changes.
 */
export class Explainer implements vscode.Disposable {
  readonly #workerFile: string;
  readonly #source: Source;
  readonly #runs: Runs;
  /** By delivery id, most recently used last. `held` is a digest of the secrets and the tolerance they depend on. */
  readonly #cache = new Map<string, { held: string; explained: Promise<TitledExplanation> }>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #turns = new Turns();
  readonly #disposal = new AbortController();
  readonly #explained = new vscode.EventEmitter<TitledExplanation>();
  /** A kept delivery was explained. */
  readonly onDidExplain = this.#explained.event;

  constructor(context: vscode.ExtensionContext, source: Source, runs: Runs) {
    this.#workerFile = context.asAbsolutePath('dist/explanation.worker.js');
    this.#source = source;
    this.#runs = runs;
    this.#subscriptions = [
      source.onDidForget(() => this.#cache.clear()),
      source.onDidChangeDelivery(({ id }) => this.#cache.delete(id)),
      // The run may show only now that Runhook gave the secret.
      runs.onDidChange(({ delivery }) => delivery && this.#cache.delete(delivery.id)),
    ];
  }

  /**
   * Explains why a kept delivery verifies or does not.
   * @param signal cancels the explanation for every caller that waits for it
   */
  async delivery(id: string, signal?: AbortSignal): Promise<TitledExplanation> {
    const secrets = await this.#source.secrets();
    const toleranceSeconds = config.timestampToleranceSeconds();
    // A digest, so that no secret is stored here.
    const held = hash('sha256', JSON.stringify({ secrets, toleranceSeconds }));
    const cached = this.#cache.get(id);
    this.#cache.delete(id);
    if (cached?.held === held) {
      this.#cache.set(id, cached);
      return cached.explained;
    }
    const explained = this.#explain(async () => {
      const delivery = await this.#source.get(id);
      const about = { lines: headingOf(delivery), verdict: delivery.verdict };
      const isGiven = gaveSecret(this.#runs.all(), delivery);
      const title = t('Explain {0}', tabName(delivery));
      return { title, asked: { ...evidenceOf(delivery, secrets, toleranceSeconds), about, isGiven } };
    }, signal);
    this.#cache.set(id, { held, explained });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > maxCached && oldest !== undefined) this.#cache.delete(oldest);
    explained.then(
      (one) => this.#explained.fire(one),
      () => this.#cache.delete(id),
    );
    return explained;
  }

  /** Explains a request that the user pasted. */
  request(asked: ExplainInput, signal: AbortSignal): Promise<TitledExplanation> {
    return this.#explain(() => Promise.resolve({ title: t('Verify a Signature'), asked }), signal);
  }

  dispose(): void {
    this.#disposal.abort();
    for (const one of this.#subscriptions) one.dispose();
    this.#explained.dispose();
  }

  #explain(
    ask: () => Promise<{ title: string; asked: ExplainInput }>,
    signal?: AbortSignal,
  ): Promise<TitledExplanation> {
    const ended = AbortSignal.any([this.#disposal.signal, ...(signal ? [signal] : [])]);
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

/** A short name that tells the tabs of deliveries apart: "echo 2:13:22". */
function tabName({ appName, runId, path, receivedAt }: Delivery): string {
  return `${plainText(appName ?? runId ?? path, 40)} ${timeText(receivedAt)}`;
}
