import type { Delivery, WholeDelivery } from '../contract/delivery.ts';
import { refusalText, type Run } from '../service/runs/run.ts';
import type { Clock } from '../shared/async/clock.ts';
import { brokenOffText } from '../shared/text/bytesText.ts';
import { t } from '../shared/text/l10n.ts';
import { sentences } from '../shared/text/sentences.ts';
import type { DeliveryFilter } from './deliveryFilter.ts';
import type { DeliveryPage } from './listenerProtocol.ts';
import type { ListenerState } from './listenerState.ts';

/** How many kept deliveries with the run's id are examined. */
const maxKept = 100;

/** Calls back until it is disposed of. */
type Event<T> = (told: (one: T) => void) => { dispose(): unknown };

/** What a wait observes. */
export interface DeliveryWaitParts {
  listener: {
    readonly state: ListenerState;
    readonly onDidChangeState: Event<ListenerState>;
    readonly onDidReceiveDelivery: Event<Delivery>;
    readonly onDidChangeDelivery: Event<Delivery>;
    page(filter: DeliveryFilter, limit: number): Promise<DeliveryPage>;
    whole(id: string): Promise<WholeDelivery>;
  };
  runs: { all(): Run[]; readonly onDidChange: Event<Run> };
  clock: Clock;
}

/** Why there is no delivery. The answer to a run uses the same property name. */
interface NotDelivered {
  notDelivered: string;
}

/**
 * Waits for the delivery of a run, until it has arrived and the handler has answered, or it can no longer arrive.
 * @param runId the service's id of the run, or Runhook's own
 * @throws the signal's reason once it is aborted
 */
export async function waitForDelivery(
  { listener, runs, clock }: DeliveryWaitParts,
  runId: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<WholeDelivery | NotDelivered> {
  /** The first result counts. */
  const over = Promise.withResolvers<WholeDelivery | NotDelivered>();
  const fail = (reason: unknown): void => over.reject(reason);
  /** The run; undefined if this window did not make it. */
  const run = (): Run | undefined => runs.all().find((one) => one.id === runId || one.runId === runId);
  const isOf = (one: Pick<Delivery, 'runId'>): boolean =>
    one.runId !== undefined && (one.runId === runId || one.runId === run()?.runId);
  let first: string | undefined;
  const take = ({ id, isForwarding }: Pick<Delivery, 'id' | 'isForwarding'>): void => {
    first ??= id;
    if (id === first && isForwarding !== true) over.resolve(listener.whole(id));
  };
  const arrived = (delivery: Delivery): void => {
    if (isOf(delivery)) take(delivery);
  };

  /** Looks for verified deliveries first: a forgery may name the same run. */
  async function lookAtKept(): Promise<void> {
    const named = run()?.runId ?? runId;
    for (const verdict of [{ verdict: 'verified' as const }, {}]) {
      const { deliveries } = await listener.page({ ...verdict, run: named }, maxKept);
      const kept = deliveries.findLast(isOf);
      if (kept === undefined) continue;
      take(kept);
      return;
    }
  }

  let keptLookup: Promise<void> | undefined;
  /** Checks the kept deliveries, once, and then the current state of the run and the listener. */
  async function look(): Promise<void> {
    await (keptLookup ??= lookAtKept());
    const joined = run()?.delivery;
    if (joined !== undefined) take(joined);
    if (first !== undefined) return;
    const notDelivered = whyItCannotArrive(run(), listener.state);
    if (notDelivered !== undefined) over.resolve({ notDelivered });
  }

  // Subscribes before the first look, so that nothing that arrives in between is missed.
  const subscriptions = [
    listener.onDidReceiveDelivery(arrived),
    listener.onDidChangeDelivery(arrived),
    listener.onDidChangeState(() => void look().catch(fail)),
    runs.onDidChange((changed) => {
      if (changed === run()) look().catch(fail);
    }),
  ];
  const late = (): void => {
    const notDelivered = lateText(run(), timeoutSeconds);
    over.resolve(first === undefined ? { notDelivered } : listener.whole(first));
  };
  const cancelTimeout = clock.after(timeoutSeconds * 1000, late);
  const cancel = (): void => fail(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    look().catch(fail);
    return await over.promise;
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', cancel);
    for (const one of subscriptions) one.dispose();
  }
}

/** The message if no delivery has arrived within the given seconds. Runhook's own id of a run is shown nowhere else. */
function lateText(run: Run | undefined, seconds: number): string {
  const late = t('No delivery of the run arrived within {0} seconds.', seconds);
  const { bytes, announced } = run?.brokenOff ?? {};
  return sentences(
    late,
    bytes === undefined ? undefined : t('One of them {0}.', brokenOffText(bytes, announced)),
  );
}

/** Why no delivery of the run can arrive; undefined if one still may. */
export function whyItCannotArrive(run: Run | undefined, state: ListenerState): string | undefined {
  const refused = run && refusalText(run);
  if (refused !== undefined) return refused;
  // The query may still name the listener.
  const isMadeHere = run?.input.deliverHere === true;
  if (run?.input.webhook === false && !isMadeHere && !run.input.path.includes('?')) {
    return t('Not delivered: the run was made without a webhook.');
  }
  if (state.kind === 'stopped') return t('Not delivered: the listener has stopped.');
  const { listenerPort } = run ?? {};
  if (state.kind === 'listening' && listenerPort !== undefined && listenerPort !== state.port) {
    return t(
      'Not delivered: it was sent to port {0}, and the listener is on {1} now.',
      listenerPort,
      state.port,
    );
  }
  return state.kind === 'failed' ? t('Not delivered: the listener failed. {0}', state.reason) : undefined;
}
