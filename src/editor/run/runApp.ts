import * as v from 'valibot';
import { plainBody } from '../../client/answerBody.ts';
import { readToEnd } from '../../client/boundedBody.ts';
import type { RunInput } from '../../model/runs/run.ts';
import type { RunView } from './history/runView.ts';
import { type RunAppResult, toldOf } from '../../client/answers/runAppResult.ts';
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
  /** Opens no answer. */
  quiet: v.optional(v.boolean(), false),
  /** An `AbortSignal` of a caller within the editor: breaks the run off. */
  signal: v.optional(v.unknown()),
});

type Argument = v.InferOutput<typeof runAppSchema>;
export type RunAppArgument = Argument & { projectId: string; appName: string };

/** Whether the argument names the app, so that nothing has to be asked. */
export function isComplete<Given extends Argument>(
  argument: Given | undefined,
): argument is Given & RunAppArgument {
  return argument?.projectId !== undefined && argument.appName !== undefined;
}

/** The longest answer that is held in memory, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Runs an app and waits for the whole answer. Opens it as *Run App* does, unless `quiet` is set. A POST, PUT or
 * PATCH without a body sends an empty object.
 */
export async function runApp(
  { runner, view }: { runner: Runner; view: RunView },
  argument: RunAppArgument,
): Promise<RunAppResult> {
  const { secret, confirmed, quiet } = argument;
  const signal = argument.signal instanceof AbortSignal ? argument.signal : undefined;
  const input = inputOf(argument);
  const options = { confirmed, secret: secret === false ? undefined : secret };
  // The editor may show only the beginning of an answer, or a file. The caller gets all of it.
  return quiet
    ? runUnseen(runner, input, options, signal)
    : view.run(input, { ...options, hold: maxBytes, ...(signal && { signal }) });
}

/** The input of the run that the argument describes. */
export function inputOf(argument: RunAppArgument): RunInput {
  const { projectId, appName, path, method, headers, body, webhook, secret } = argument;
  const text = bodyText(method, body);
  return {
    projectId,
    appName,
    path,
    method,
    headers,
    webhook,
    ...(text !== undefined && { body: text }),
    ...(secret !== undefined && { signing: secret === false ? 'unsigned' : 'once' }),
  };
}

/** Runs a complete input without opening the answer. */
export async function runUnseen(
  runner: Runner,
  input: RunInput,
  options: PrepareOptions,
  signal?: AbortSignal,
): Promise<RunAppResult> {
  const prepared = await runner.prepare(input, { ...options, hold: maxBytes });
  signal?.throwIfAborted();
  const { run, arriving, answer } = runner.send(prepared, signal);
  const { status, headers, body } = await answer;
  await readToEnd(body);
  const bytes = arriving.body?.whole ?? new Uint8Array();
  return { status, headers, ...plainBody(bytes, headers['content-type']), ...toldOf(run) };
}

function bodyText(method: string, body: unknown): string | undefined {
  if (body !== undefined) return JSON.stringify(body);
  return /^(post|put|patch)$/i.test(method) ? '{}' : undefined;
}
