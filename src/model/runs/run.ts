import type { Forward, Verdict } from '../deliveries/delivery.ts';
import type { RunPlace } from './runUrl.ts';

/** What signs the webhook of a run in place of the secret that its app has: nothing, or a secret of this run alone. */
export type Signing = 'unsigned' | 'once';

/** What is sent with a run, kept so that it can be run again. */
export interface RunInput extends RunPlace {
  method: string;
  /** Those of the payload. */
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
  /** `true`: delivered to the listener; a text: to that address. */
  webhook: boolean | string;
  signing?: Signing;
}

/** How a run ended, or that it has not. Durations are in milliseconds. */
export type RunOutcome =
  | { kind: 'running' }
  | { kind: 'answered'; status: number; durationMs: number; bytes: number }
  /** `bytes`: so many of the answer came before it broke off; absent where none came at all. */
  | { kind: 'failed'; reason: string; durationMs: number; bytes?: number }
  | { kind: 'cancelled'; durationMs: number }
  /** Its window was reloaded or closed, or its extension host crashed. */
  | { kind: 'interrupted' };

/** The same run made many times. */
export interface Series {
  id: string;
  times: number;
  /** So many of them run at the same time, at most. */
  atOnce: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** One run of an app from this editor. */
export interface Run {
  /** Runhook's own. */
  id: string;
  /** Which of a series it is, from 1. */
  series?: Series & { number: number };
  input: RunInput;
  /** What was sent is not kept, since it is too large or holds a value of the environment: it cannot be run again from here. */
  bodyDropped?: true;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** When the answer began, in milliseconds after that. */
  headAfterMs?: number;
  outcome: RunOutcome;
  /** The service's id, where the answer told it. */
  runId?: string;
  /** What arrived at the listener for this run. */
  delivery?: RunDelivery;
  /** How the last delivery that named it and broke off did so, and how many there were. */
  brokenOff?: { bytes: number; announced?: number; times: number };
}

export interface RunDelivery {
  id: string;
  verdict: Verdict;
  /** ISO 8601. */
  receivedAt: string;
  /** How often it was delivered again. */
  repeats: number;
  /** What the local app answered the last time that it was handed over, or why it did not. */
  forward?: Pick<Forward, 'status' | 'error'>;
}

/** One text for each app. */
export function appKey({ projectId, appName }: Pick<RunPlace, 'projectId' | 'appName'>): string {
  return JSON.stringify([projectId, appName]);
}

/** What tells the answers of runs apart: the app and the time of day. */
export function runTitle({ input, startedAt }: Pick<Run, 'input' | 'startedAt'>): string {
  return `${input.appName} ${new Date(startedAt).toTimeString().slice(0, 8)}`;
}

/** What tells series apart: the app, how many runs, and the time of day. */
export function seriesTitle({ times, startedAt }: Series, appName: string): string {
  return `${appName} × ${times} ${new Date(startedAt).toTimeString().slice(0, 8)}`;
}
