import type { PlainBody } from '../answerBody.ts';
import { refusalText } from '../../model/runs/refusedRun.ts';
import type { Run } from '../../model/runs/run.ts';

/** What `runhook.runApp` returns. */
export type RunAppResult = { status: number; headers: Record<string, string> } & RunFacts & PlainBody;

/** What is known of a run after its answer. */
interface RunFacts {
  /** Runhook's own id of the run, for use if the answer names no run id. */
  id: string;
  runId?: string;
  /** Why the requested webhook will not come. */
  notDelivered?: string;
}

export function runFacts(run: Run): RunFacts {
  const { id, runId, input } = run;
  const notDelivered = input.webhook === false ? undefined : refusalText(run);
  return { id, ...(runId !== undefined && { runId }), ...(notDelivered !== undefined && { notDelivered }) };
}
