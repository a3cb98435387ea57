import type { Delivery } from '../deliveries/delivery.ts';
import type { Run } from './run.ts';

/** Whether a delivery belongs to a run for which Runhook supplied the signing secret. */
export function gaveSecret(runs: readonly Run[], { id, runId }: Pick<Delivery, 'id' | 'runId'>): boolean {
  const run = runs.find((one) => one.delivery?.id === id || (runId !== undefined && one.runId === runId));
  return run !== undefined && run.input.webhook !== false && run.input.signing !== 'unsigned';
}
