import type { Delivery, WholeDelivery } from '../../../src/contract/delivery.ts';

type Told = Delivery & WholeDelivery;

/** A minimal verified delivery. */
export function deliveryOf(id: string, more: Partial<Told> = {}): Told {
  return {
    id,
    receivedAt: '2026-11-20T12:00:00.000Z',
    verdict: 'verified',
    method: 'POST',
    path: '/',
    headers: {},
    body: '{}',
    bytes: 2,
    answered: 200,
    ...more,
  };
}
