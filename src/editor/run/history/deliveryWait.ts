import type * as vscode from 'vscode';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../../model/deliveries/deliveryFilter.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import type { DeliveryPage } from '../../../model/processes/listenerProtocol.ts';
import type { ListenerState } from '../../../model/processes/listenerState.ts';
import { refusalText, type Run } from '../../../model/runs/run.ts';
import { brokenOffText } from '../../../model/text/brokenOffText.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';

/** How many kept deliveries with the run's id are examined. */
const maxKept = 100;

/** What a wait observes. */
export interface DeliveryWaitParts {
  listener: {
    readonly state: ListenerState;
    readonly onDidChangeState: vscode.Event<ListenerState>;
    readonly onDidReceiveDelivery: vscode.Event<Delivery>;
    readonly onDidChangeDelivery: vscode.Event<Delivery>;
    page(filter: DeliveryFilter, limit: number): Promise<DeliveryPage>;
    get(id: string): Promise<Delivery>;
  };
  runs: { all(): Run[]; readonly onDidChange: vscode.Event<Run> };
  clock: Clock;
}

/** Why there is no delivery. The answer to a run uses the same property name. */
interface NotDelivered {
  notDelivered: string;
}

/**
 * Waits for the delivery of a run, until it has arrived or can no longer arrive.
 * @param runId the service's id of the run, or Runhook's own
 * @throws the signal's reason once it is aborted
 */
export async function waitForDelivery(
  parts: DeliveryWaitParts,
  runId: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<Delivery | NotDelivered> {
  const wait = new DeliveryWait(parts, runId);
  const end = parts.clock.after(timeoutSeconds * 1000, () => wait.end(wait.lateText(timeoutSeconds)));
  const cancel = (): void => wait.fail(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    wait.look();
    return await wait.over;
  } finally {
    end();
    signal.removeEventListener('abort', cancel);
    wait.dispose();
  }
}

/** One wait. The first result settles it. */
class DeliveryWait {
  readonly #parts: DeliveryWaitParts;
  readonly #runId: string;
  readonly #over = Promise.withResolvers<Delivery | NotDelivered>();
  readonly #subscriptions: vscode.Disposable[];
  #keptLookup: Promise<void> | undefined;

  constructor(parts: DeliveryWaitParts, runId: string) {
    this.#parts = parts;
    this.#runId = runId;
    const { listener, runs } = parts;
    const arrived = (delivery: Delivery): void => {
      if (this.#isOf(delivery)) this.#over.resolve(delivery);
    };
    // Subscribes before the first look, so that nothing that arrives in between is missed.
    this.#subscriptions = [
      listener.onDidReceiveDelivery(arrived),
      listener.onDidChangeDelivery(arrived),
      listener.onDidChangeState(() => this.look()),
      runs.onDidChange((run) => {
        if (run === this.#run) this.look();
      }),
    ];
  }

  get over(): Promise<Delivery | NotDelivered> {
    return this.#over.promise;
  }

  end(notDelivered: string): void {
    this.#over.resolve({ notDelivered });
  }

  fail(reason: unknown): void {
    this.#over.reject(reason);
  }

  /** The message if no delivery has arrived within the given seconds. */
  lateText(seconds: number): string {
    const late = t(
      'No delivery of the run {0} has arrived within {1} seconds.',
      plainText(this.#runId),
      seconds,
    );
    const { bytes, announced } = this.#run?.brokenOff ?? {};
    return bytes === undefined ? late : `${late} ${t('One of it {0}.', brokenOffText(bytes, announced))}`;
  }

  /** Checks the kept deliveries, once, and then the current state of the run and the listener. */
  look(): void {
    this.#keptLookup ??= this.#lookAtKept();
    this.#keptLookup
      .then(async () => {
        const id = this.#run?.delivery?.id;
        if (id !== undefined) {
          this.#over.resolve(await this.#parts.listener.get(id));
          return;
        }
        const problem = whyItCannotArrive(this.#run, this.#parts.listener.state);
        if (problem !== undefined) this.end(problem);
      })
      .catch((error: unknown) => this.fail(error));
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Looks for verified deliveries first: a forgery may name the same run. */
  async #lookAtKept(): Promise<void> {
    const { listener } = this.#parts;
    const run = this.#run?.runId ?? this.#runId;
    for (const verdict of [{ verdict: 'verified' as const }, {}]) {
      const { deliveries } = await listener.page({ ...verdict, run }, maxKept);
      const kept = deliveries.find((one) => this.#isOf(one));
      if (kept === undefined) continue;
      this.#over.resolve(await listener.get(kept.id));
      return;
    }
  }

  #isOf({ runId }: Pick<Delivery, 'runId'>): boolean {
    return runId !== undefined && (runId === this.#runId || runId === this.#run?.runId);
  }

  /** The run; undefined if this window did not make it. */
  get #run(): Run | undefined {
    return this.#parts.runs.all().find(({ id, runId }) => id === this.#runId || runId === this.#runId);
  }
}

/** Why no delivery of the run can arrive; undefined if one still may. */
export function whyItCannotArrive(run: Run | undefined, state: ListenerState): string | undefined {
  const refused = run && refusalText(run);
  if (refused !== undefined) return refused;
  // The query may still name the listener.
  if (run?.input.webhook === false && !run.input.path.includes('?')) {
    return t('Not delivered: the run was made without a webhook.');
  }
  if (state.kind === 'stopped') return t('Not delivered: the listener is stopped.');
  return state.kind === 'failed' ? t('Not delivered: the listener failed. {0}', state.reason) : undefined;
}
