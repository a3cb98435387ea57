import * as vscode from 'vscode';
import type { RunAppResult } from '../../client/answers/runAppResult.ts';
import { deliveryLine } from '../../model/deliveries/deliveryLine.ts';
import type { Sent } from '../../model/processes/listenerProtocol.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';
import type { TaskDefinition } from '../../model/tasks/taskDefinition.ts';
import { runLines } from '../../model/tasks/runLines.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import { severalFolders } from '../config.ts';
import { type CommandId, commandIds } from '../ids.ts';
import { givenFile } from '../prompts/givenFile.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../run/feature.ts';
import type { TaskWork } from './taskTerminal.ts';

/** A task of that kind, as it was written. */
type Of<Name extends TaskDefinition['task']> = TaskDefinition & { task: Name };

/** Applies a settings file. */
export function applyWork({ file }: Of<'apply'>): TaskWork {
  return async ({ write, signal }) => {
    const argument = { file: await fileOf(file) };
    const { applied } = await call<{ applied: object }>(commandIds.applySettingsFile, argument, signal);
    const values = Object.entries(applied).map(([name, value]) => `${name} ${String(value)}`);
    write([t('Applied: {0}', values.join(', '))]);
    return true;
  };
}

/** Runs an app; it goes well where the app answers 2xx and what is waited for comes and verifies. */
export function runWork(task: Of<'run'>, parts: DeliveryWaitParts): TaskWork {
  const { payload, app, project, waitForDelivery: waits, timeoutSeconds } = task;
  const webhook = task.webhook ?? (waits ? true : undefined);
  return async ({ write, signal }) => {
    const argument = {
      file: await fileOf(payload),
      ...(app !== undefined && { appName: app }),
      ...(project !== undefined && { projectId: project }),
      ...(webhook !== undefined && { webhook }),
      quiet: true,
    };
    const answer = await call<RunAppResult | undefined>(commandIds.runFile, argument, signal);
    if (answer === undefined) throw new UserError(t('Nothing was run.'));
    write(runLines(answer));
    const isTaken = isSuccess(answer.status);
    if (!waits) return isTaken;
    const came = await waitForDelivery(parts, answer.id, timeoutSeconds, signal);
    if ('notDelivered' in came) throw new UserError(came.notDelivered);
    write([deliveryLine({ delivery: came }, { firstAt: () => undefined }).text]);
    return isTaken && came.verdict === 'verified';
  };
}

/** Sends a fixture; it goes well where it is answered 2xx. */
export function sendWork({ fixture, to }: Of<'send'>): TaskWork {
  return async ({ write, signal }) => {
    const argument = { uri: await fileOf(fixture), ...(to !== undefined && { to }) };
    const { status, durationMs } = await call<Sent>(commandIds.sendFixture, argument, signal);
    write([t('Answered {0} in {1} ms.', status, Math.round(durationMs))]);
    return isSuccess(status);
  };
}

/**
 * The address of a file that a task names. VS Code takes two tasks of one definition for the same, whatever folder they
 * are of: a path that several folders have names none of them.
 */
async function fileOf(path: string): Promise<string> {
  const found = new Set<string>();
  for (const folder of severalFolders()) {
    const inFolder = await givenFile(path, [folder]).catch(() => undefined);
    if (inFolder !== undefined) found.add(inFolder.toString());
  }
  if (found.size > 1) {
    throw new UserError(
      t('More than one folder has {0}. Put {1} before it.', plainText(path), '${workspaceFolder:NAME}/'),
    );
  }
  return (await givenFile(path)).toString();
}

/** Runs a command as anybody's call. @throws UserError where it fails; the signal's reason as soon as that is aborted */
async function call<T>(id: CommandId, argument: object, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  // A question that stands open is left to whoever reads it.
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const called = Promise.resolve(vscode.commands.executeCommand<T>(id, { ...argument, signal }));
  return Promise.race([
    called.catch((error: unknown) => {
      // Its text is fit for a user already.
      throw new UserError(error instanceof Error ? error.message : String(error), { cause: error });
    }),
    ended,
  ]);
}
