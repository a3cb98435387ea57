import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { answerStatusText } from '../../../deliveries/deliveryLine.ts';
import type { Attempt, Delivery, Verdict, WholeDelivery } from '../../../contract/delivery.ts';
import type { SandboxFault } from '../../../service/sandbox/sandboxFault.ts';
import { gaveSecret, runOf, type Run } from '../../../service/runs/run.ts';
import { attemptStart, lastTelling } from '../../../deliveries/keptDelivery.ts';
import { judgedText, repeatText } from '../../../deliveries/verdictText.ts';
import { isRedirect } from '../../../shared/http/isRedirect.ts';
import { t } from '../../../shared/text/l10n.ts';
import { timeOfDay } from '../../../shared/text/durationText.ts';
import { capitalized } from '../../../shared/text/sentences.ts';
import { type ExplanationWork, evidenceOf, explainInThread } from './explainInThread.ts';
import type { Explanation } from '../../../service/explanation/explanation.ts';
import type { HandlerPicture } from '../../../service/explanation/explanationPicture.ts';
import { isTaken } from '../../../deliveries/forwardText.ts';
import { failurePlaceText, handlerFailure } from '../../../deliveries/handlerFailure.ts';
import { attemptKindText, handlerText, outcomeOf, outcomeText } from '../../../deliveries/outcomeText.ts';
import type { HeldSecret } from '../../../service/signature/webhookSecret.ts';
import { config } from '../../kit/config.ts';
import { momentText } from '../../kit/localeFormat.ts';
import type { Listener } from '../../listener/feature.ts';
import type { Sandbox } from '../../sandbox/feature.ts';
import { Turns } from '../../../shared/async/turns.ts';
import { nameOf, titleOf } from '../view/deliveryItem.ts';

/** How many explanations are cached. A page asks again whenever it was hidden. */
const maxCached = 8;

/** An explanation with the title of its tab. */
export interface TitledExplanation extends Explanation {
  title: string;
  /** Whether the sandbox simulated faults, which may be why. */
  isSimulated: boolean;
  /** The handler has responded to it: the response can be opened. */
  isAnswered: boolean;
}

interface Cached {
  /** A digest of the secrets and the tolerance that it depends on. */
  held: string;
  explained: Promise<TitledExplanation>;
  /** What it shows of the delivery, as of {@link shownOf}; undefined until that was read. */
  shown: () => string | undefined;
  /** The delivery's `X-Request-Id`; undefined until that was read. */
  requestId: () => string | undefined;
}

/** What to explain. */
type ExplainInput = Omit<ExplanationWork, 'messages' | 'language'>;

/** The part of the listener that the explainer uses. */
type Source = Pick<
  Listener,
  'whole' | 'secrets' | 'sender' | 'onDidChangeDelivery' | 'onDidForget' | 'onDidClear'
>;

/** A delivery, and whether it is with the handler now. */
type ExplainedDelivery = WholeDelivery & Pick<Delivery, 'isForwarding'>;

/** The runs of this window. */
interface Runs {
  all(): readonly Run[];
  readonly onDidChange: vscode.Event<Run>;
}

/** The body of a run's response, as far as it is kept. */
type AnswerOf = (run: Run) => Promise<Uint8Array>;

/** The sandbox, whose faults may be why. */
type Faulty = Pick<Sandbox, 'state' | 'ask' | 'onDidAttempt'>;

/** A longer response is not compared with its delivery: it would be copied into the thread. In bytes. */
const longestAnswer = 1024 * 1024;

/** How many runs are remembered whose delivery was explained without being asked for. */
const mostLookedInto = 200;

/**
 * Explains deliveries in a worker thread, one at a time: a delivery from a stranger may take seconds to explain. The
 * explanation is cached until a secret, the tolerance or the delivery changes.
 */
export class Explainer implements vscode.Disposable {
  readonly #workerFile: string;
  readonly #source: Source;
  readonly #runs: Runs;
  readonly #answerOf: AnswerOf;
  readonly #sandbox: Faulty;
  /** The runs whose delivery was looked into: one delivery of each, since anybody may send more. */
  readonly #lookedInto = new Set<string>();
  /** The deliveries that are with the handler now. */
  readonly #underWay = new Set<string>();
  /** By delivery id, most recently used last. */
  readonly #cache = new Map<string, Cached>();
  readonly #subscriptions: readonly { dispose(): unknown }[];
  readonly #turns = new Turns();
  readonly #disposal = new AbortController();
  readonly #explained = new vscode.EventEmitter<TitledExplanation>();
  readonly #outdated = new vscode.EventEmitter<string>();
  /** The explanation of a delivery, by its id, no longer holds: it was tried again, for example. */
  readonly onDidOutdate = this.#outdated.event;
  readonly onDidClear: Source['onDidClear'];
  /** A kept delivery was explained. */
  readonly onDidExplain = this.#explained.event;

  constructor(
    context: vscode.ExtensionContext,
    source: Source,
    runs: Runs,
    answerOf: AnswerOf,
    sandbox: Faulty,
  ) {
    this.#sandbox = sandbox;
    this.#workerFile = context.asAbsolutePath('dist/explanation.worker.js');
    this.#source = source;
    this.onDidClear = source.onDidClear;
    this.#runs = runs;
    this.#answerOf = answerOf;
    this.#subscriptions = [
      source.onDidForget(() => this.#cache.clear()),
      // The sandbox tells what it simulated once it has the response, by when its delivery may be explained.
      sandbox.onDidAttempt(({ requestId, faults }) => {
        if (faults === undefined) return;
        for (const [id, one] of this.#cache) {
          if (one.requestId() === requestId && this.#cache.delete(id)) this.#outdated.fire(id);
        }
      }),
      source.onDidChangeDelivery((delivery) => {
        if (delivery.isForwarding === true) this.#underWay.add(delivery.id);
        else this.#underWay.delete(delivery.id);
        const shown = this.#cache.get(delivery.id)?.shown();
        if (shown === undefined || shown === shownOf(delivery)) return;
        this.#cache.delete(delivery.id);
        this.#outdated.fire(delivery.id);
      }),
      // The run may show only now that Runhook gave the secret.
      runs.onDidChange((run) => {
        const { id } = run.delivery ?? {};
        if (id !== undefined && this.#cache.delete(id)) this.#outdated.fire(id);
        this.#lookInto(run);
      }),
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
    let shown: string | undefined;
    let requestId: string | undefined;
    const explained = this.#explain(async () => {
      const whole = await this.#source.whole(id);
      const delivery = { ...whole, ...(this.#underWay.has(id) && { isForwarding: true as const }) };
      shown = shownOf(delivery);
      requestId = delivery.requestId;
      const runs = this.#runs.all();
      const run = runOf(runs, delivery);
      const faults = await this.#faultsOf(run, delivery);
      const about = {
        lines: [...headingOf(delivery), ...simulatedText(faults)],
        verdict: delivery.verdict,
        reason: delivery.reason,
        handler: await this.#failureOf(delivery, secrets, toleranceSeconds),
      };
      const isGiven = gaveSecret(runs, delivery);
      const runAnswer = await this.#answerTo(run);
      const title = t('Explain {0}', nameOf(delivery));
      const evidence = evidenceOf(delivery, secrets, toleranceSeconds);
      const asked = { ...evidence, about, isGiven, ...(runAnswer && { runAnswer }) };
      return { title, asked, explains: delivery, isSimulated: faults.length > 0 };
    }, signal);
    this.#cache.set(id, { held, explained, shown: () => shown, requestId: () => requestId });
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
    this.#outdated.dispose();
  }

  #explain(
    ask: () => Promise<{
      title: string;
      asked: ExplainInput;
      explains?: WholeDelivery;
      isSimulated?: boolean;
    }>,
    signal?: AbortSignal,
  ): Promise<TitledExplanation> {
    const ended = AbortSignal.any([this.#disposal.signal, ...(signal ? [signal] : [])]);
    return this.#turns.next(async () => {
      const { title, asked, explains, isSimulated = false } = await ask();
      const work = { ...asked, messages: { ...vscode.l10n.bundle }, language: vscode.env.language };
      const explanation = await explainInThread(this.#workerFile, work, ended);
      const { reason } = explanation;
      if (explains !== undefined && explains.verdict !== 'verified' && reason !== undefined) {
        if (reason !== explains.reason) this.#source.sender.noteReason({ id: explains.id, reason });
      }
      const isAnswered = lastTelling(explains?.attempts ?? [])?.status !== undefined;
      return { ...explanation, title, isSimulated, isAnswered };
    });
  }

  /** Explains what came for a run of this window and did not match: its response tells more than the program knows. */
  #lookInto({ id, outcome, delivery }: Run): void {
    if (delivery?.verdict !== 'mismatch' || outcome.kind !== 'answered' || this.#lookedInto.has(id)) return;
    this.#lookedInto.add(id);
    const [oldest] = this.#lookedInto;
    if (this.#lookedInto.size > mostLookedInto && oldest !== undefined) this.#lookedInto.delete(oldest);
    // The row keeps the reason that it has.
    this.delivery(delivery.id).catch(() => undefined);
  }

  /** The faults that the sandbox simulated for a delivery, as long as it runs, and that lead to the verdict. */
  async #faultsOf(run: Run | undefined, delivery: WholeDelivery): Promise<readonly string[]> {
    const { state } = this.#sandbox;
    const runId = run?.runId ?? delivery.runId;
    if (state.kind !== 'running' || run?.input.projectId !== state.address.projectId) return [];
    if (runId === undefined || faultsFor[delivery.verdict] === undefined) return [];
    const attempts = await this.#sandbox.ask((thread) => thread.attempts({ runId }));
    const { faults = [] } = attempts.find(({ requestId }) => requestId === delivery.requestId) ?? {};
    // One that spoils less is still to be seen once that is mended.
    const isSpoiled = faults.some((fault) => faultsFor[delivery.verdict]?.includes(fault));
    return isSpoiled ? faults.filter((fault) => spoiling.includes(fault)) : [];
  }

  /** Why the handler did not take a delivery, or did not get it. */
  async #failureOf(
    delivery: ExplainedDelivery,
    secrets: readonly HeldSecret[],
    toleranceSeconds: number,
  ): Promise<HandlerPicture | undefined> {
    if (outcomeOf(delivery) === 'setByUser')
      return { headline: outcomeText(delivery), reasons: [t('Replay sends it to your handler.')] };
    const attempt = lastTelling(delivery.attempts ?? []);
    if (attempt === undefined || delivery.isForwarding === true) return undefined;
    const answer = isRedirect(attempt.status ?? 0)
      ? await this.#source.sender.answer(delivery.id, attempt.at)
      : undefined;
    const rawHeaders = answer?.rawHeaders;
    const failure = handlerFailure({ delivery, attempt, rawHeaders, secrets, toleranceSeconds });
    if (failure === undefined) return undefined;
    const { said, reasons, ...more } = failure;
    return {
      ...more,
      reasons: [...reasons, ...(said === undefined ? [] : [t('It responded: {0}', said)])],
      isAnswered: attempt.status !== undefined,
      isElsewhere: isElsewhere(attempt),
      ...(attempt.failedAt && { place: failurePlaceText(attempt.failedAt) }),
    };
  }

  /** The body of the response to a run, if all of it is kept. */
  async #answerTo(run: Run | undefined): Promise<Uint8Array | undefined> {
    if (run?.outcome.kind !== 'answered' || run.outcome.bytes > longestAnswer) return undefined;
    // Without it, less is known.
    const bytes = await this.#answerOf(run).catch(() => undefined);
    return bytes?.length === run.outcome.bytes ? bytes : undefined;
  }
}

/** What of the sandbox spoils a signature, by the verdict that comes of it. */
const faultsFor: Partial<Record<Verdict, readonly SandboxFault[]>> = {
  mismatch: ['bad-signature', 'body-changed'],
  stale: ['stale-timestamp'],
  malformed: ['missing-header'],
};

const spoiling = Object.values(faultsFor).flat();

function simulatedText(faults: readonly string[]): string[] {
  return faults.length === 0 ? [] : [t('The sandbox simulated {0}.', faults.join(', '))];
}

function headingOf(delivery: ExplainedDelivery): string[] {
  const received = momentText(Date.parse(delivery.receivedAt));
  const verdict = judgedText(delivery);
  const last = lastTelling(delivery.attempts ?? []);
  return [
    // What failed is the headline.
    ...(delivery.isForwarding === true
      ? [capitalized(outcomeText(delivery))]
      : last !== undefined && isTaken(last)
        ? [acceptedText(last)]
        : []),
    t('Delivery {0}, received {1}', titleOf(delivery), received),
    t('Verdict on arrival: {0}; the listener returned {1}', verdict, answerStatusText(delivery.answered)),
    ...(delivery.repeatOf === undefined ? [] : [capitalized(repeatText(delivery))]),
  ];
}

/** `200 from your handler · replayed · 22:02:57` */
function acceptedText(attempt: Attempt): string {
  const kind = attemptKindText(attempt.kind);
  return [handlerText(attempt), kind, timeOfDay(new Date(attemptStart(attempt)))].join(' · ');
}

function isElsewhere({ status = 0 }: Attempt): boolean {
  return status === 404 || status === 405 || isRedirect(status);
}

/**
 * What of a delivery an explanation shows, and may change. The reason is not in it: the explanation finds that out, and
 * the listener does meanwhile.
 */
function shownOf({ answered, appName, runId, attempts, isForwarding }: Delivery): string {
  return JSON.stringify([answered, appName, runId, attempts, isForwarding]);
}
