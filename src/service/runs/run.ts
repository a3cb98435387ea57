import type { Delivery } from '../../contract/delivery.ts';
import type { RunPlace } from './runUrl.ts';
import type { AccountRef } from '../projects/project.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { maxAttempts } from '../webhookAttempt.ts';
import { t } from '../../shared/text/l10n.ts';
import { brokenOffReason } from '../../shared/text/bytesText.ts';
import { sentences } from '../../shared/text/sentences.ts';

/** How a run's webhook is signed instead of with its app's secret: not at all, or with a secret of this run alone. */
export type Signing = 'unsigned' | 'once';

/** What is sent with a run, kept so that it can be run again. */
export interface RunInput extends RunPlace {
  method: string;
  /** The headers of the payload. */
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
  /** `true`: delivered to the listener; a text: to that address. */
  webhook: boolean | string;
  /** Run without a webhook, its delivery is made here from the response. */
  deliverHere?: true;
  signing?: Signing;
}

/** How a run ended, or that it is still running. Durations are in milliseconds. */
export type RunOutcome =
  | { kind: 'running' }
  | { kind: 'answered'; status: number; durationMs: number; bytes: number }
  /**
   * `short`: why the service was not reached; `wasSent`: the app may have run; `bytes`: how many of the answer arrived
   * before it broke off, if any.
   */
  | { kind: 'failed'; reason: string; short?: string; wasSent?: true; durationMs: number; bytes?: number }
  | { kind: 'cancelled'; durationMs: number }
  /** Its window was reloaded or closed, or its extension host crashed. */
  | { kind: 'interrupted' };

/** One run of an app from this editor. */
export interface Run {
  /** Runhook's own id. */
  id: string;
  input: RunInput;
  /** The body is not kept, as it is too large or holds a value of the environment. It cannot be run again here. */
  bodyDropped?: true;
  /** The service account whose token was sent. A run of an earlier version does not have it. */
  serviceAccountId?: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** The port on this machine that its delivery is sent to. A run of an earlier version does not have it. */
  listenerPort?: number;
  /** When the answer began, in milliseconds after `startedAt`. */
  headAfterMs?: number;
  outcome: RunOutcome;
  /** The service's id of the run, if it is known. */
  runId?: string;
  /** What arrived at the listener for this run. */
  delivery?: RunDelivery;
  /** Its window waits for its delivery. */
  awaited?: true;
  /** Why it waits no longer, though none has arrived: a sentence. */
  notDelivered?: string;
  /** The process of the window in which it goes on, or which waits for its delivery. */
  window?: number;
  /** Where the last broken-off delivery of this run broke off, and how many broke off. */
  brokenOff?: { bytes: number; announced?: number; wasLate?: true; times: number };
  /** The listener refused its delivery (413): the body is larger than this many bytes. */
  largerThan?: number;
}

/** The state of its delivery, as far as the outcome is read from it. */
export interface RunDelivery extends Pick<
  Delivery,
  'id' | 'verdict' | 'receivedAt' | 'answered' | 'reason' | 'sentAt' | 'isForwarding' | 'forward' | 'madeHere'
> {
  /** How often it was delivered again. */
  repeats: number;
  /** The listener no longer keeps it: nothing leads to it. */
  isRemoved?: true;
}

/** The delivery of a run, as long as the listener keeps it. */
export function keptDeliveryOf({ delivery }: Run): RunDelivery | undefined {
  return delivery?.isRemoved === true ? undefined : delivery;
}

/** The service account whose token a run was sent with, as far as it is known. */
export function accountOf({ input, serviceAccountId }: Run): Partial<AccountRef> {
  return { projectId: input.projectId, ...(serviceAccountId !== undefined && { serviceAccountId }) };
}

/** A unique key for each app. */
export function appKey({ projectId, appName }: Pick<RunPlace, 'projectId' | 'appName'>): string {
  return JSON.stringify([projectId, appName]);
}

/** A title that tells the answers of runs apart: the app and the time of day. */
export function runTitle({ input, startedAt }: Pick<Run, 'input' | 'startedAt'>): string {
  return `${input.appName} ${new Date(startedAt).toTimeString().slice(0, 8)}`;
}

/** The part of a run that tells whether it was refused. */
type Ended = Pick<Run, 'outcome' | 'runId' | 'delivery' | 'brokenOff' | 'largerThan'>;

/**
 * The status with which a run was refused, so that nothing is delivered for it. A delivery contains the app's answer,
 * whatever its status, and the run's id (service-interface.md, section 6). So an answer that names a run is not a
 * refusal, and a 5xx may come from an app that failed: both are delivered. Any other answer outside 2xx and 5xx means
 * that there was no run.
 */
export function refusedStatus({ outcome, runId, delivery }: Ended): number | undefined {
  if (outcome.kind !== 'answered' || runId !== undefined || delivery !== undefined) return undefined;
  const { status } = outcome;
  return isRefusal(status) ? status : undefined;
}

/** Whether the service refused the run: the status of an answer that names no run. */
export function isRefusal(status: number): boolean {
  return !isSuccess(status) && status < 500;
}

/** Whether another token may help. A 403 says it in its body alone, which a run does not keep. */
export function needsToken(run: Ended): boolean {
  return refusedStatus(run) === 401;
}

/**
 * Whether nothing more is sent for a run: it was refused, or its delivery was too large, or all attempts to deliver it
 * broke off (service-interface.md, section 6).
 */
export function isGivenUp(run: Ended): boolean {
  const { brokenOff, delivery, largerThan } = run;
  const isOver = largerThan !== undefined || (brokenOff?.times ?? 0) >= maxAttempts;
  return (delivery === undefined && isOver) || refusedStatus(run) !== undefined;
}

/**
 * Whether a delivery to the listener is worth a wait. After a 5xx it is not: it may be that of an app that failed, and
 * come, or that of a proxy without an app, and never come. One that comes is shown all the same.
 */
export function isExpected(run: Ended & Pick<Run, 'input'>): boolean {
  return isUndelivered(run) && !isGivenUp(run);
}

/** Whether the app did its work, and nothing of it has come to the listener, though that was asked for. */
export function isUndelivered(run: Ended & Pick<Run, 'input'>): boolean {
  const { input, outcome, delivery } = run;
  if (input.webhook !== true || outcome.kind !== 'answered' || delivery !== undefined) return false;
  return outcome.status < 500 && refusedStatus(run) === undefined;
}

/** Why nothing is delivered for a run that is given up, and what to do; undefined for any other. */
export function refusalText(run: Ended): string | undefined {
  if (!isGivenUp(run)) return undefined;
  const status = refusedStatus(run);
  if (status === undefined && run.largerThan !== undefined) {
    return sentences(
      t(
        'Not delivered: the listener refused it (413), for its body is larger than {0} bytes.',
        run.largerThan,
      ),
      t('Set "runhook.listener.maxBodyBytes" to more, and run it again.'),
    );
  }
  if (status === undefined) {
    return sentences(
      t('Not delivered: {0} attempts broke off, and the service makes no more.', maxAttempts),
      t('The last one: {0}.', brokenOffReason(run.brokenOff?.wasLate)),
    );
  }
  return sentences(t('Not delivered: the run failed ({0}).', status), nextStep(status));
}

/** What to do about a run that the service refused. */
export function nextStep(status: number): string | undefined {
  if (status === 401) return t('Set a new token.');
  if (status === 403) return t('Check whether the token is allowed to run the app.');
  return status === 404 ? t('Check the id of the project, the name of the app, and the path.') : undefined;
}

/** The run that a delivery belongs to, if it is one of these. */
export function runOf(runs: readonly Run[], { id, runId }: Pick<Delivery, 'id' | 'runId'>): Run | undefined {
  return runs.find((one) => one.delivery?.id === id || (runId !== undefined && one.runId === runId));
}

/** Whether a delivery belongs to a run for which Runhook supplied the signing secret. */
export function gaveSecret(runs: readonly Run[], delivery: Pick<Delivery, 'id' | 'runId'>): boolean {
  const run = runOf(runs, delivery);
  return run !== undefined && run.input.webhook !== false && run.input.signing !== 'unsigned';
}
