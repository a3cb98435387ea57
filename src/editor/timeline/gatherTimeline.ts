import type { Attempt, Delivery } from '../../contract/delivery.ts';
import { isTaken, shortMissingAnswerText } from '../../deliveries/forwardText.ts';
import { attemptStart } from '../../deliveries/keptDelivery.ts';
import { attemptText, attemptWord } from '../../deliveries/outcomeText.ts';
import { cameOutRight } from '../../deliveries/refusal.ts';
import { judgedMark, judgedText } from '../../deliveries/verdictText.ts';
import type { Run } from '../../service/runs/run.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { type WebhookAttempt, followedText, maxAttempts } from '../../service/webhookAttempt.ts';
import { brokenOffWithReason } from '../../shared/text/bytesText.ts';
import { durationText, timeOfDay } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import {
  type Lane,
  type TimelineMark,
  type Outcome,
  type Timeline,
  bounded,
} from '../../contract/timeline.ts';

/** The data that a timeline is made from. */
export interface TimelineData {
  runs: readonly Run[];
  deliveries: readonly Delivery[];
  /** The attempts that the sandbox reports. */
  attempts: readonly WebhookAttempt[];
}

interface Gathered {
  run?: Run;
  /** The service's id of the run. */
  runId: string | undefined;
  deliveries: Delivery[];
  attempts: WebhookAttempt[];
}

/** All known data, with a lane for each run. Deliveries without a run get a lane for each first delivery. */
export function gatherTimeline(title: string, known: TimelineData, now: number): Timeline {
  const lanes = [...gather(known)].map(([id, gathered]) => laneOf(id, gathered));
  return { title: plainText(title), ...bounded(lanes), now };
}

function gather({ runs, deliveries, attempts }: TimelineData): Map<string, Gathered> {
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
    const { id, runId, joinedRun, repeatOf } = delivery;
    const target =
      ofDelivery.get(id) ??
      (runId === undefined ? undefined : ofRun(runId)) ??
      gathered.get(`run ${joinedRun}`) ??
      (repeatOf === undefined ? undefined : ofDelivery.get(repeatOf)) ??
      lane(`delivery ${id}`, undefined);
    ofDelivery.set(id, target);
    target.deliveries.push(delivery);
  }
  return gathered;
}

function laneOf(id: string, { run, runId, deliveries, attempts }: Gathered): Lane {
  const marks = [
    ...(run ? [callMark(run)] : []),
    ...webhookMarks(deliveries, attempts, run?.brokenOff),
    ...deliveries.flatMap((delivery) => appMarks(delivery)),
  ];
  const from = Math.min(...marks.map((mark) => mark.from));
  const time = Number.isFinite(from) ? timeOfDay(new Date(from)) : '';
  return { id, title: `${time} ${nameOf(run, runId)}`.trim(), marks };
}

/** The service tells the id of a run with its response: one that was cancelled, or goes on, may have none. */
function nameOf(run: Run | undefined, runId = run?.runId): string {
  if (runId !== undefined) return plainText(runId);
  if (run === undefined) return t('no run');
  return run.outcome.kind === 'running' ? '' : t('run id not known');
}

/** The call of a run, until its answer was complete. */
function callMark({ id, startedAt, outcome, input, headAfterMs }: Run): TimelineMark {
  const tookMs = 'durationMs' in outcome ? outcome.durationMs : 0;
  const words = [
    plainText(`${input.method} ${input.path}`),
    ...outcomeWords(outcome),
    ...(headAfterMs === undefined ? [] : [t('headers after {0}', durationText(headAfterMs))]),
  ];
  return {
    id: `call ${id}`,
    track: 'call',
    from: startedAt,
    to: startedAt + tookMs,
    outcome: outcomeOf(outcome),
    label: labelOf(outcome),
    text: words.join(' · '),
    opens: { kind: 'answer', id },
  };
}

function outcomeOf(outcome: Run['outcome']): Outcome {
  switch (outcome.kind) {
    case 'running':
      return 'underWay';
    case 'answered':
      return isSuccess(outcome.status) ? 'good' : 'bad';
    case 'failed':
      return 'bad';
    case 'cancelled':
    case 'interrupted':
      return 'plain';
  }
}

function labelOf(outcome: Run['outcome']): string {
  if (outcome.kind === 'answered') return outcome.status.toString();
  if (outcome.kind === 'running') return '…';
  if (outcome.kind === 'interrupted') return t('interrupted');
  return outcome.kind === 'failed' ? `✗ ${t('failed')}` : t('cancelled');
}

function outcomeWords(outcome: Run['outcome']): string[] {
  switch (outcome.kind) {
    case 'running':
      return [t('running')];
    case 'answered':
      return [t('{0} in {1}', outcome.status, durationText(outcome.durationMs))];
    case 'failed':
      return [t('failed'), plainText(outcome.reason, 300)];
    case 'cancelled':
      return [t('cancelled')];
    case 'interrupted':
      return [t('interrupted')];
  }
}

/** Sender and listener use the same clock, but read it at different moments of a request. */
const slackMs = 100;

/** One webhook request: as its sender reports it, as it arrived here, or both. */
type Request = { attempt: WebhookAttempt; delivery?: Delivery } | { attempt?: never; delivery: Delivery };

/** Marks for the requests that deliver the webhook of a run, each request once. */
function webhookMarks(
  deliveries: readonly Delivery[],
  attempts: readonly WebhookAttempt[],
  brokenOff: Run['brokenOff'],
): TimelineMark[] {
  const unmatched = new Set(deliveries);
  const sent = attempts.map((attempt): Request => {
    const delivery = [...unmatched].find((one) => isOf(one, attempt));
    if (delivery === undefined) return { attempt };
    unmatched.delete(delivery);
    return { attempt, delivery };
  });
  const requests = [...sent, ...[...unmatched].map((delivery): Request => ({ delivery }))];
  const marks = requests
    .map((request) => ({ request, mark: webhookMark(request, brokenOff) }))
    .sort((a, b) => a.mark.from - b.mark.from);
  const ofService = marks.filter(({ request }) => request.delivery?.madeHere !== true);
  return marks.map(({ request, mark }) => {
    const at = ofService.findIndex((one) => one.request === request);
    if (at === -1 || ofService.length === 1) return mark;
    // A repeat has the number of the attempt that it repeats.
    return { ...mark, label: `${request.attempt?.number ?? at + 1} ${mark.label}` };
  });
}

/** Whether a delivery is the request of an attempt. */
function isOf(
  { requestId, receivedAt }: Delivery,
  { at, durationMs, requestId: sent }: WebhookAttempt,
): boolean {
  const sinceMs = Date.parse(receivedAt) - Date.parse(at);
  return requestId === sent && sinceMs >= -slackMs && sinceMs <= durationMs + slackMs;
}

/** @param brokenOff what the listener got of the attempts without a response */
function webhookMark({ attempt, delivery }: Request, brokenOff: Run['brokenOff']): TimelineMark {
  const from = Date.parse(attempt?.at ?? delivery?.receivedAt ?? '');
  const to = from + (attempt?.durationMs ?? 0);
  const words = [
    ...(attempt ? attemptWords(attempt, brokenOff) : []),
    ...(delivery ? deliveryWords(delivery) : []),
  ];
  return {
    id: delivery ? `delivery ${delivery.id}` : `attempt ${attempt?.requestId} ${attempt?.number}`,
    track: 'webhook',
    from,
    to,
    outcome: delivery ? outcomeOfDelivery(delivery) : attempt?.outcome === 'delivered' ? 'good' : 'bad',
    label: delivery ? labelOfDelivery(delivery) : labelOfAttempt(attempt, brokenOff),
    text: words.join(' · '),
    ...(delivery && { opens: { kind: 'delivery', id: delivery.id } }),
  };
}

function outcomeOfDelivery({ verdict, answered }: Delivery): Outcome {
  if (verdict === 'unsigned' && isSuccess(answered)) return 'plain';
  if (verdict !== 'verified') return 'refused';
  return isSuccess(answered) ? 'good' : answered === 0 ? 'plain' : 'bad';
}

function labelOfDelivery(delivery: Delivery): string {
  const { verdict, madeHere, answered, repeatOf } = delivery;
  const mark = repeatOf === undefined ? judgedMark(delivery) : '↻';
  const said = verdict === 'verified' && madeHere !== true ? [] : [judgedText(delivery)];
  return [mark, ...said, ...(answered === 0 ? [] : [answered])].join(' ');
}

function labelOfAttempt(attempt: WebhookAttempt | undefined, brokenOff: Run['brokenOff']): string {
  const { outcome, status } = attempt ?? {};
  const none = brokenOff === undefined ? t('no response') : t('broke off');
  return `${outcome === 'delivered' ? '✓' : '✗'} ${status ?? none}`;
}

function attemptWords(attempt: WebhookAttempt, brokenOff: Run['brokenOff']): string[] {
  const { number, durationMs, status, error = '', cutFrom } = attempt;
  const missing = brokenOff ? brokenOffWithReason(brokenOff) : plainText(error, 300);
  return [
    t('attempt {0} of {1}', number, maxAttempts),
    status === undefined ? missing : t('{0} in {1}', status, durationText(durationMs)),
    followedText(attempt),
    ...(cutFrom === undefined ? [] : [t('cut off at {0} bytes', cutFrom)]),
  ];
}

function deliveryWords(delivery: Delivery): string[] {
  const { answered, reason, repeatOf } = delivery;
  return [
    t('arrived, {0}', judgedText(delivery)),
    answered === 0 ? t('without a response') : t('returned {0}', answered),
    ...(repeatOf === undefined ? [] : [t('repeat')]),
    ...(reason === undefined ? [] : [plainText(reason, 300)]),
  ];
}

/** A mark for each time that a delivery was sent to the local app, with its duration. */
function appMarks(delivery: Delivery): TimelineMark[] {
  const marks = (delivery.attempts ?? []).map((attempt, at) => appMark(delivery.id, attempt, at));
  return delivery.isForwarding === true ? [...marks, underWay(delivery)] : marks;
}

function appMark(delivery: string, attempt: Attempt, at: number): TimelineMark {
  const { at: ended, kind, status, error = '', to, answer } = attempt;
  const sign = kind === 'forward' ? '' : '↺ ';
  const words = [
    attemptWord(attempt),
    attemptText(attempt),
    URL.parse(to)?.host ?? to,
    ...(answer === undefined || isTaken(attempt) ? [] : [answer]),
  ];
  return {
    // An attempt has no id of its own: its end time and its position identify it.
    id: `app ${delivery} ${ended} ${at}`,
    track: 'app',
    from: Date.parse(attemptStart(attempt)),
    to: Date.parse(ended),
    outcome: cameOutRight(attempt) ? 'good' : 'bad',
    // What was edited says nothing of the delivery itself, and what was signed anew nothing of its signature.
    label: [
      `${sign}${status ?? shortMissingAnswerText(error, true)}`,
      ...(kind === 'forward' || kind === 'replay' ? [] : [attemptWord(attempt)]),
    ].join(' · '),
    text: words.map((word) => plainText(word, 300)).join(' · '),
    opens: { kind: 'response', id: delivery, at: ended },
  };
}

function underWay({ id, receivedAt }: Delivery): TimelineMark {
  const from = Date.parse(receivedAt);
  return {
    id: `app ${id}`,
    track: 'app',
    from,
    to: from,
    outcome: 'underWay',
    label: '…',
    text: t('waiting in your handler'),
    opens: { kind: 'delivery', id },
  };
}
