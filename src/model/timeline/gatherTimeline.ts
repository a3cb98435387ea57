import type { DeliverySummary } from '../deliveries/delivery.ts';
import { clockTime } from '../deliveries/deliveryLine.ts';
import type { Run } from '../runs/run.ts';
import type { WebhookAttempt } from '../service/webhookAttempt.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { appMarks } from './appMarks.ts';
import { callMark } from './callMark.ts';
import { bounded, type Lane, type Timeline } from './timeline.ts';
import { webhookMarks } from './webhookMarks.ts';

/** The data that a timeline is made from. */
export interface Known {
  runs: readonly Run[];
  deliveries: readonly DeliverySummary[];
  /** The attempts that the sandbox reports. */
  attempts: readonly WebhookAttempt[];
  /** The ids of deliveries that the local app has not answered yet. */
  forwarding: ReadonlySet<string>;
}

interface Gathered {
  run?: Run;
  /** The service's id of the run. */
  runId: string | undefined;
  deliveries: DeliverySummary[];
  attempts: WebhookAttempt[];
}

/** All known data, with a lane for each run. Deliveries without a run get a lane for each first delivery. */
export function gatherTimeline(title: string, known: Known, now: number): Timeline {
  const lanes = [...gather(known)].map(([id, gathered]) => laneOf(id, gathered, known.forwarding));
  return { title: plainText(title), ...bounded(lanes), now };
}

function gather({ runs, deliveries, attempts }: Known): Map<string, Gathered> {
  const gathered = new Map<string, Gathered>();
  const ofRunId = new Map<string, Gathered>();
  const ofDelivery = new Map<string, Gathered>();
  const lane = (id: string, runId: string | undefined): Gathered => {
    const made = gathered.get(id) ?? { runId, deliveries: [], attempts: [] };
    gathered.set(id, made);
    if (runId !== undefined) ofRunId.set(runId, made);
    return made;
  };
  for (const run of runs) {
    const made = lane(`run ${run.id}`, run.runId);
    made.run = run;
    if (run.delivery) ofDelivery.set(run.delivery.id, made);
  }
  const ofRun = (runId: string): Gathered => ofRunId.get(runId) ?? lane(`runId ${runId}`, runId);
  for (const attempt of attempts) ofRun(attempt.runId).attempts.push(attempt);
  // In order of arrival, so that a first delivery is handled before its repeats.
  for (const delivery of deliveries.toSorted((a, b) => a.receivedAt.localeCompare(b.receivedAt))) {
    const { id, runId, repeatOf } = delivery;
    const target =
      ofDelivery.get(id) ??
      (runId === undefined ? undefined : ofRun(runId)) ??
      (repeatOf === undefined ? undefined : ofDelivery.get(repeatOf)) ??
      lane(`delivery ${id}`, undefined);
    ofDelivery.set(id, target);
    target.deliveries.push(delivery);
  }
  return gathered;
}

function laneOf(
  id: string,
  { run, runId, deliveries, attempts }: Gathered,
  forwarding: Known['forwarding'],
): Lane {
  const marks = [
    ...(run ? [callMark(run)] : []),
    ...webhookMarks(deliveries, attempts),
    ...deliveries.flatMap((delivery) => appMarks(delivery, forwarding.has(delivery.id))),
  ];
  const from = Math.min(...marks.map((mark) => mark.from));
  const time = Number.isFinite(from) ? clockTime(new Date(from)).slice(0, 8) : '';
  const name = run?.runId ?? runId;
  return { id, title: [time, name === undefined ? t('no run') : plainText(name)].join(' '), marks };
}
