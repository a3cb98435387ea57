import type { Forward, Verdict } from '../deliveries/delivery.ts';
import type { RunPlace } from './runUrl.ts';

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
  signing?: Signing;
}

/** How a run ended, or that it is still running. Durations are in milliseconds. */
export type RunOutcome =
  | { kind: 'running' }
  | { kind: 'answered'; status: number; durationMs: number; bytes: number }
  /** `bytes`: how many bytes of the answer arrived before it broke off; absent if none arrived. */
  | { kind: 'failed'; reason: string; durationMs: number; bytes?: number }
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
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** When the answer began, in milliseconds after `startedAt`. */
  headAfterMs?: number;
  outcome: RunOutcome;
  /** The service's id of the run, if it is known. */
  runId?: string;
  /** What arrived at the listener for this run. */
  delivery?: RunDelivery;
  /** A window waits for its delivery right now. */
  awaited?: true;
  /** Where the last broken-off delivery of this run broke off, and how many broke off. */
  brokenOff?: { bytes: number; announced?: number; times: number };
}

export interface RunDelivery {
  id: string;
  verdict: Verdict;
  /** ISO 8601. */
  receivedAt: string;
  /** How often it was delivered again. */
  repeats: number;
  /** The local app's answer at the last attempt, or why there was none. */
  forward?: Pick<Forward, 'status' | 'error'>;
}

/** A unique key for each app. */
export function appKey({ projectId, appName }: Pick<RunPlace, 'projectId' | 'appName'>): string {
  return JSON.stringify([projectId, appName]);
}

/** A title that tells the answers of runs apart: the app and the time of day. */
export function runTitle({ input, startedAt }: Pick<Run, 'input' | 'startedAt'>): string {
  return `${input.appName} ${new Date(startedAt).toTimeString().slice(0, 8)}`;
}
