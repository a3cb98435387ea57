import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../contract/delivery.ts';
import type { MadeDelivery, ToDeliverHere } from '../../deliveries/listenerProtocol.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import { WebhookSender } from '../../service/sandbox/webhook/webhookSender.ts';
import { vendorOf } from '../../service/signature/signature.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

export interface DeliverHereParts {
  readonly store: Pick<DeliveryStore, 'noteMade' | 'page'>;
  /** The listener's own port; undefined when it does not listen. */
  readonly port: number | undefined;
}

/**
 * Makes the delivery of a run from its response, and sends it to this listener as the service would: section 6 of
 * service-interface.md. The service may not reach this machine; Runhook has made the call, and has what it returned.
 */
export async function deliverHere(
  { store, port }: DeliverHereParts,
  { run, runId = run, appName, body, secret }: ToDeliverHere,
  cancelled: AbortSignal,
  clock = systemClock,
): Promise<MadeDelivery> {
  if (port === undefined) throw new UserError(t('The listener is stopped.'));
  const requestId = randomUUID();
  // guard S133: Only who was told the request id before, and signs, has a delivery counted as made here.
  store.noteMade(requestId, run);
  const [genuine] = store.page({ verdict: 'verified', app: appName }, 1).deliveries;
  const attempts: MadeDelivery['attempts'] = [];
  const sender = new WebhookSender({
    ...{ clock, random: Math.random, log: () => undefined, userAgent: 'Runhook' },
    // The handler may read no other names than those that the service has.
    vendor: genuine && vendorOf(Object.entries(genuine.headers).flat()),
    onAttempt: ({ status, error }) =>
      attempts.push({ ...(status !== undefined && { status }), ...(error !== undefined && { error }) }),
  });
  const stop = (): void => sender.stop();
  cancelled.addEventListener('abort', stop);
  await sender.send({
    ...{ runId, appName, requestId, secret, body: Buffer.from(body, 'base64'), faults: new Set() },
    endpoint: new URL(addressOfApp(`http://127.0.0.1:${port}/`, appName)),
  });
  cancelled.removeEventListener('abort', stop);
  if (cancelled.aborted) throw new UserError(t('Cancelled.'));
  const isOfIt = (one: Delivery): boolean => one.requestId === requestId && one.repeatOf === undefined;
  const header = { name: 'x-request-id', value: requestId };
  const id = store.page({ made: 'here', header }, attempts.length).deliveries.find(isOfIt)?.id;
  if (id === undefined)
    throw new UserError(t('The delivery could not be kept: {0}', attempts[0]?.error ?? ''));
  return { id, attempts };
}
