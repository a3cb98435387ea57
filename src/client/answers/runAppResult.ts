import type { PlainBody } from '../answerBody.ts';
import { refusalText } from '../../model/runs/refusedRun.ts';
import type { Run } from '../../model/runs/run.ts';

/** What `runhook.runApp` returns. */
export type RunAppResult = { status: number; headers: Record<string, string> } & Told & PlainBody;

/** What is known of a run once it was answered. */
interface Told {
  /** Runhook's own, in place of the run's where the answer names none. */
  id: string;
  runId?: string;
  /** Why the webhook that was asked for will not come. */
  notDelivered?: string;
}

export function toldOf(run: Run): Told {
  const { id, runId, input } = run;
  const notDelivered = input.webhook === false ? undefined : refusalText(run);
  return { id, ...(runId !== undefined && { runId }), ...(notDelivered !== undefined && { notDelivered }) };
}
