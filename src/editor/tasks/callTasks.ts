import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../../contract/commands.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../../deliveries/deliveryWait.ts';
import type { RunAppResult } from '../run/feature.ts';
import { deliveryLine } from '../../deliveries/deliveryLine.ts';
import { unlinked } from '../../deliveries/forwardText.ts';
import { parseSettingsFile } from '../../service/settings/settingsFile.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import type { TaskDefinition } from './taskDefinition.ts';
import { runLines } from './runLines.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { severalFolders } from '../kit/config.ts';
import { exactText, givenFile, openFile } from '../kit/files.ts';
import { type FixtureAnswer, fixtureSentText, openFixture } from '../deliveries/feature.ts';
import type { Listener } from '../listener/feature.ts';
import type { TaskWork } from './backgroundTasks.ts';

/** The definition of a task of that kind. */
type Of<Name extends TaskDefinition['task']> = TaskDefinition & { task: Name };

interface RunWorkParts extends DeliveryWaitParts {
  /** Explains a delivery, with what this window knows of its run. */
  explainer: { delivery(id: string): Promise<{ reason?: string }> };
}

/** Applies a settings file. */
export function applyWork({ file }: Of<'apply'>): TaskWork {
  return async ({ write, signal }) => {
    const argument = { file: await fileOf(file) };
    const { app } = parseSettingsFile(await exactText(await openFile(vscode.Uri.parse(argument.file))));
    const { applied } = await call<{ applied: object }>(commandIds.applySettingsFile, argument, signal);
    const values = Object.entries(applied).map(([name, value]) => `${name} ${String(value)}`);
    write([t('Applied to {0}: {1}', plainText(app), values.join(', '))], 'green');
    return true;
  };
}

/** Runs an app. Succeeds if the app answers 2xx and the delivery, if the task waits for it, arrives and verifies. */
export function runWork(task: Of<'run'>, parts: RunWorkParts): TaskWork {
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
    const isTaken = isSuccess(answer.status);
    const [returned, ...body] = runLines(answer);
    write([returned], isTaken ? 'green' : 'red');
    write(body);
    if (!waits) return isTaken;
    const result = await waitForDelivery(parts, answer.id, timeoutSeconds, signal);
    if ('notDelivered' in result) throw new UserError(result.notDelivered);
    const delivery = { ...result, ...(await betterReason(result, parts.explainer)) };
    write([unlinked(deliveryLine(delivery, { firstAt: () => undefined }))]);
    return isTaken && result.verdict === 'verified';
  };
}

/** Why a delivery does not match, which the response of its run tells more of than the listener has found. */
async function betterReason(
  { id, verdict }: Delivery,
  explainer: RunWorkParts['explainer'],
): Promise<{ reason?: string }> {
  if (verdict !== 'mismatch') return {};
  // Without it, less is known.
  const { reason } = await explainer.delivery(id).catch(() => ({ reason: undefined }));
  return reason === undefined ? {} : { reason };
}

/** Sends a fixture. Succeeds if the response is 2xx. */
export function sendWork({ fixture, to }: Of<'send'>, destinations: Listener['destinations']): TaskWork {
  return async ({ write, signal }) => {
    const argument = { uri: await fileOf(fixture), ...(to !== undefined && { to }) };
    const { app } = await openFixture(vscode.Uri.parse(argument.uri));
    const answer = await call<FixtureAnswer>(commandIds.sendFixture, argument, signal);
    const isTaken = isSuccess(answer.status);
    write([fixtureSentText(answer, to ?? destinations.forwardOf(app))], isTaken ? 'green' : 'red');
    return isTaken;
  };
}

/**
 * The URI of a file that a task names. VS Code treats tasks with the same definition as one, whatever their folders:
 * a path that exists in several folders is ambiguous.
 * @throws UserError if it is ambiguous or cannot be found
 */
async function fileOf(path: string): Promise<string> {
  const found = new Set<string>();
  for (const folder of severalFolders()) {
    const inFolder = await givenFile(path, [folder]).catch(() => undefined);
    if (inFolder !== undefined) found.add(inFolder.toString());
  }
  if (found.size > 1) {
    throw new UserError(
      t('More than one folder contains {0}. Put {1} before it.', plainText(path), '${workspaceFolder:NAME}/'),
    );
  }
  return (await givenFile(path)).toString();
}

/** Runs a command, as every caller does. @throws UserError if it fails; the signal's reason as soon as it is aborted */
async function call<T>(id: CommandId, argument: object, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  // A question that is still on screen stays open for the user.
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const called = Promise.resolve(vscode.commands.executeCommand<T>(id, { ...argument, signal }));
  return Promise.race([
    called.catch((error: unknown) => {
      // Its message is already meant for users.
      throw new UserError(error instanceof Error ? error.message : String(error), { cause: error });
    }),
    ended,
  ]);
}
