import * as v from 'valibot';
import { plainBody, type PlainBody } from '../../client/answerBody.ts';
import { boundedBody, readAll } from '../../client/boundedBody.ts';
import { refusalText } from '../../model/runs/refusedRun.ts';
import type { Run, RunInput } from '../../model/runs/run.ts';
import type { PrepareOptions, Runner } from './runner.ts';

/** The argument of `runhook.runApp` (design, section 4). */
export const runAppSchema = v.object({
  projectId: v.optional(v.string()),
  appName: v.optional(v.string()),
  path: v.optional(v.string(), 'run'),
  method: v.optional(v.string(), 'POST'),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.unknown()),
  webhook: v.optional(v.union([v.boolean(), v.string()]), false),
  /** Signs the webhook of this run in place of the secret that is kept; `false` leaves it unsigned. */
  secret: v.optional(v.union([v.string(), v.literal(false)])),
  confirmed: v.optional(v.boolean(), false),
  /** An `AbortSignal` of a caller within the editor: breaks the run off. */
  signal: v.optional(v.unknown()),
});

type Argument = v.InferOutput<typeof runAppSchema>;
export type RunAppArgument = Argument & { projectId: string; appName: string };

/** Whether nothing has to be asked. */
export function isComplete(argument: Argument | undefined): argument is RunAppArgument {
  return argument?.projectId !== undefined && argument.appName !== undefined;
}

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

/** A longer answer is not held in memory, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Runs an app and waits for the whole answer. A POST, PUT or PATCH without a body sends an empty object. */
export async function runApp(runner: Runner, argument: RunAppArgument): Promise<RunAppResult> {
  const { projectId, appName, path, method, headers, body, webhook, secret, confirmed } = argument;
  const signal = argument.signal instanceof AbortSignal ? argument.signal : undefined;
  const text = bodyText(method, body);
  const input: RunInput = {
    projectId,
    appName,
    path,
    method,
    headers,
    webhook,
    ...(text !== undefined && { body: text }),
    ...(secret !== undefined && { signing: secret === false ? 'unsigned' : 'once' }),
  };
  const given = secret === false ? undefined : secret;
  return runUnseen(runner, input, { confirmed, secret: given }, signal);
}

/** The same for a call that is made already; nothing opens. */
export async function runUnseen(
  runner: Runner,
  input: RunInput,
  options: PrepareOptions,
  signal?: AbortSignal,
): Promise<RunAppResult> {
  const prepared = await runner.prepare(input, options);
  signal?.throwIfAborted();
  const { run, answer } = runner.send(prepared, signal);
  const { status, headers, body } = await answer;
  const bytes = await readAll(boundedBody(body, maxBytes));
  return { status, headers, ...plainBody(bytes, headers['content-type']), ...toldOf(run) };
}

export function toldOf(run: Run): Told {
  const { id, runId, input } = run;
  const notDelivered = input.webhook === false ? undefined : refusalText(run);
  return { id, ...(runId !== undefined && { runId }), ...(notDelivered !== undefined && { notDelivered }) };
}

function bodyText(method: string, body: unknown): string | undefined {
  if (body !== undefined) return JSON.stringify(body);
  return /^(post|put|patch)$/i.test(method) ? '{}' : undefined;
}
