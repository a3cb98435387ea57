import * as v from 'valibot';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { valueProblem } from '../../shared/text/valueProblem.ts';

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
const flag = v.optional(v.boolean(), false);

/** The schema of each task. `package.json` declares the same for authors of a tasks.json. */
export const taskSchemas = {
  listen: v.object({ task: v.literal('listen') }),
  sandbox: v.object({ task: v.literal('sandbox') }),
  apply: v.object({ task: v.literal('apply'), file: text }),
  run: v.object({
    task: v.literal('run'),
    payload: text,
    /** The app's name, and the id of its project, where the payload is no document of an app. */
    app: v.exactOptional(text),
    project: v.exactOptional(text),
    webhook: v.exactOptional(v.boolean()),
    waitForDelivery: flag,
    timeoutSeconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(3600)), 60),
  }),
  send: v.object({ task: v.literal('send'), fixture: text, to: v.exactOptional(text) }),
} as const;

export type TaskName = keyof typeof taskSchemas;

/** A checked task definition. */
export type TaskDefinition = { [Name in TaskName]: v.InferOutput<(typeof taskSchemas)[Name]> }[TaskName];

/** Whether a task runs until it is stopped. */
export function isBackground(name: unknown): boolean {
  return name === 'listen' || name === 'sandbox';
}

/** @throws UserError if the definition is not valid */
export function readTask(written: object): TaskDefinition {
  const name = v.safeParse(v.object({ task: v.picklist(Object.keys(taskSchemas) as TaskName[]) }), written);
  const read = name.success ? v.safeParse(taskSchemas[name.output.task], written) : name;
  if (!read.success) {
    const [issue] = read.issues;
    throw new UserError(t('The task is not valid: {0}', valueProblem(issue, 'runhook')));
  }
  const task = read.output;
  const { entries } = taskSchemas[task.task];
  const foreign = Object.keys(written).find((field) => field !== 'type' && !(field in entries));
  if (foreign !== undefined) {
    throw new UserError(
      t('The task is not valid: {0}', t('"{0}" is not a field of "{1}".', plainText(foreign), task.task)),
    );
  }
  if (task.task === 'run' && task.waitForDelivery && task.webhook === false) {
    throw new UserError(
      t('The task is not valid: {0}', t('"waitForDelivery" needs "webhook", but that is false.')),
    );
  }
  return task;
}
