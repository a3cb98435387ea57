import type { Delivery } from '../deliveries/delivery.ts';
import type { Run } from './run.ts';

/** The run that a delivery belongs to, if it is one of these. */
export function runOf(runs: readonly Run[], { id, runId }: Pick<Delivery, 'id' | 'runId'>): Run | undefined {
  return runs.find((one) => one.delivery?.id === id || (runId !== undefined && one.runId === runId));
}

/** Whether a delivery belongs to a run for which Runhook supplied the signing secret. */
export function gaveSecret(runs: readonly Run[], delivery: Pick<Delivery, 'id' | 'runId'>): boolean {
  const run = runOf(runs, delivery);
  return run !== undefined && run.input.webhook !== false && run.input.signing !== 'unsigned';
}
