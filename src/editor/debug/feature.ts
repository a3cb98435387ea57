import * as vscode from 'vscode';
import { type ForwardTarget, type ForwardTargets, targetOf } from '../../deliveries/destination.ts';
import { plainAddress, typedAddress } from '../../service/typedAddress.ts';
import {
  type LaunchConfiguration,
  guessedAddress,
  handlerConfiguration,
  handlerConfigurationName as name,
  readsAsVariable,
  runtimeOf,
} from '../kit/handlerConfiguration.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Argument } from '../../contract/commands.ts';
import { delay, systemClock } from '../../shared/async/clock.ts';
import { untilListening } from '../../suite/run/untilListening.ts';
import { asChosen, type CommandsOf, type Provides } from '../kit/commands.ts';
import { taskType } from '../kit/ids.ts';
import { cancellableProgress } from '../kit/progress.ts';
import { requireTrust } from '../kit/requireTrust.ts';
import type { Services } from '../kit/services.ts';
import {
  type Listener,
  askForwardAddress,
  askForwardedApps,
  checkedAddress,
  forwardTo,
} from '../listener/feature.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { logError } from '../kit/log.ts';
import { addBreakpoint, lineOfRoute, stopText } from './breakpoints.ts';
import { debugDelivery } from './debugDelivery.ts';
import { DebuggedApp, startMs } from './debuggedApp.ts';
import {
  askHandlerFile,
  givenHandlerFile,
  isHandler,
  type StartingFile,
  startingFile,
} from './handlerFile.ts';

export { DebuggedApp, notInNode, renameLaunch } from './debuggedApp.ts';

/** What starts an app under the debugger. */
interface Debugging extends Pick<Provides<'debug'>, 'commands'> {
  /** The configurations of a type that the editor offers. */
  configurations(
    type: string,
    folder: vscode.WorkspaceFolder | undefined,
  ): Promise<vscode.DebugConfiguration[]>;
}

/** *Debug a Handler…*: from the open file to a breakpoint that a delivery stops at. */
export function registerDebug(services: Services): Debugging {
  const { prompts, context, listener, log } = services;
  let made: DebuggedApp | undefined;
  const app = (): DebuggedApp => {
    if (made === undefined) {
      made = new DebuggedApp({ prompts, memento: context.workspaceState });
      context.subscriptions.push(made);
    }
    return made;
  };
  context.subscriptions.push(
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.configuration.name !== name || session.parentSession !== undefined) return;
      offerForwarding(services, session).catch((error: unknown) => logError(log, error));
    }),
  );
  return {
    commands: () => Promise.resolve(debugCommands(services, app)),
    configurations: async (type, folder) => {
      const offered = await offeredConfigurations(folder, listener.destinations.forward);
      return offered.filter((one) => one.type === type);
    },
  };
}

/** The extension that debugs Python. It does not ship with VS Code. */
const pythonDebugger = 'ms-python.debugpy';

/**
 * *Debug a Handler…*: starts the listener and then the app under the debugger, with the secret and with deliveries
 * forwarded to it.
 */
function debugCommands(services: Services, app: () => DebuggedApp): CommandsOf<'debug'> {
  const { listener, prompts, log } = services;
  /** Asks for what is not given. @returns what starts the handler so */
  const chosen = async (given: Argument<'debugHandler'> = {}) => {
    requireTrust(t('This workspace is not trusted, so nothing in it can be debugged. Trust it first.'));
    const chosenFile =
      given.file === undefined ? await askHandlerFile(prompts) : await givenHandlerFile(given.file);
    requirePythonDebugger(chosenFile);
    const isAnswered = given.to !== undefined || given.app !== undefined;
    const apps = isAnswered ? given : await askForwardedApps(listener, prompts);
    if (apps === undefined) throw notStarted();
    const set = targetOf(apps.app, listener.destinations.forward);
    const typed = given.to ?? (await askAddress(listener, prompts, chosenFile, set));
    if (typed === undefined) throw notStarted();
    let to = checkedAddress(typed, listener);
    let isSet = set.kind === 'given' && set.to === to.href;
    return async () => {
      // First: if the user does not allow the address, nothing is started.
      if (!isSet) await forwardTo(listener, apps, to, given.to !== undefined);
      isSet = true;
      // Where it has failed, the message about that may have set another.
      const now = targetOf(apps.app, listener.destinations.forward);
      if (now.kind === 'given') to = new URL(now.to);
      await listener.start();
      // Where it has failed, it may have been mended: by tsx in the folder.
      const file = await startingFile(chosenFile.document.uri);
      await cancellableProgress(t('Starting your handler'), (signal) => app().startFile(file, to, signal));
      return { file, to };
    };
  };
  const debugHandler: CommandsOf<'debug'>['debugHandler'] = async (given) => {
    const start = await chosen(given);
    return asChosen(async () => {
      const { file, to } = await start();
      const isStopped = await app().canStop();
      if (!isStopped) offerBreakpoint(prompts, file, to).catch((error: unknown) => logError(log, error));
      return { name };
    });
  };
  const startHandler = async () => (await chosen())();
  return { debugHandler, debugDelivery: debugDelivery(services, app, startHandler) };
}

/** Says that no breakpoint is set in the handler, with a verb that sets one at its first line. */
async function offerBreakpoint(prompts: Prompts, { document, path }: StartingFile, to: URL): Promise<void> {
  const line = await lineOfRoute(to, document.uri);
  const message = t(
    '{0} runs, without a breakpoint. A delivery stops where you set one.',
    plainText(path, 100),
  );
  const verb = await prompts.tell(message, line === undefined ? [] : [stopText(line)], 'information');
  if (verb !== undefined && line !== undefined) addBreakpoint(line);
}

/** How long it goes on at least that does not fail as it starts, such as where its port is taken, in milliseconds. */
const settleMs = 1500;

/** Resolves with whether what a session has started listens, and goes on. */
async function goesOn(session: vscode.DebugSession, to: URL): Promise<boolean> {
  const ended = new AbortController();
  const terminated = vscode.debug.onDidTerminateDebugSession((one) => one === session && ended.abort());
  try {
    if (!(await untilListening(to, systemClock, startMs, ended.signal))) return false;
    await delay(systemClock, settleMs, ended.signal);
    return true;
  } catch (error) {
    if (ended.signal.aborted) return false;
    throw error;
  } finally {
    terminated.dispose();
  }
}

/**
 * Says of a handler that was started by F5 that nothing is forwarded to it, if nothing is, with a verb that does so.
 * @param session of what `handlerConfiguration` makes, with its variables replaced
 */
async function offerForwarding({ listener, prompts }: Services, session: vscode.DebugSession): Promise<void> {
  const isForwarded = (): boolean => {
    const { rest, apps } = listener.destinations.forward;
    return rest.kind !== 'off' || apps.size > 0;
  };
  if (isForwarded()) return;
  const { program, env } = session.configuration as { program?: string; env?: Record<string, string> };
  const text = program === undefined ? '' : (await vscode.workspace.openTextDocument(program)).getText();
  const to = typedAddress(guessedAddress(text));
  to.port = env?.['PORT'] ?? to.port;
  if (!(await goesOn(session, to)) || isForwarded()) return;
  const verb = t('Forward to {0}', plainAddress(to));
  const message = t('Your handler runs, but deliveries are not forwarded to it.');
  if ((await prompts.tell(message, [verb], 'information')) === verb) await forwardTo(listener, {}, to, false);
}

/** Asks for the address. Prefilled with the current forward address, else with a guess from the text of the file. */
function askAddress(
  listener: Listener,
  prompts: Prompts,
  { document }: StartingFile,
  set: ForwardTarget,
): Promise<string | undefined> {
  return askForwardAddress(listener, prompts, {
    title: t('Debug a Handler'),
    prompt: t('The address where your handler receives webhooks. Deliveries are forwarded there.'),
    value: set.kind === 'given' ? plainAddress(new URL(set.to)) : guessedAddress(document.getText()),
    canBeEmpty: false,
  });
}

/** @throws UserError if VS Code cannot debug the file, as it is of Python */
function requirePythonDebugger({ path }: StartingFile): void {
  if (runtimeOf(path) !== 'python' || vscode.extensions.getExtension(pythonDebugger) !== undefined) return;
  const shown = plainText(path, 100);
  throw new UserError(
    t('Debugging {0} needs the extension Python Debugger, which is not installed.', shown),
    {
      remedies: [{ kind: 'showExtension', id: pythonDebugger }],
    },
  );
}

function notStarted(): DeclinedError {
  return new DeclinedError(t('Nothing was started.'));
}

/**
 * The configuration that the editor offers to start, or to put into launch.json: that of the open file, if an app can
 * start from it.
 */
export async function offeredConfigurations(
  folder: vscode.WorkspaceFolder | undefined,
  forward: Pick<ForwardTargets, 'rest'>,
): Promise<LaunchConfiguration[]> {
  const open = vscode.window.activeTextEditor?.document;
  if (open === undefined || !vscode.workspace.isTrusted || !isHandler(open.uri)) return [];
  if (vscode.workspace.getWorkspaceFolder(open.uri) !== folder) return [];
  const file = await startingFile(open.uri);
  if (readsAsVariable(file.path)) return [];
  const set = forward.rest;
  const text = open.getText();
  const to = typedAddress(set.kind === 'given' ? set.to : guessedAddress(text));
  const preLaunchTask = await listenTask(folder);
  return [{ ...handlerConfiguration({ ...file, text }, to), preLaunchTask }];
}

/** The task that listens, as the editor names it: by its label in tasks.json, which then is its only name. */
async function listenTask(folder: vscode.WorkspaceFolder | undefined): Promise<string> {
  const tasks = await vscode.tasks.fetchTasks({ type: taskType });
  const own = tasks.find(
    ({ definition, source, scope }) =>
      definition.task === 'listen' &&
      source !== taskType &&
      (typeof scope !== 'object' || scope.index === folder?.index),
  );
  return own?.name ?? `${taskType}: listen`;
}
