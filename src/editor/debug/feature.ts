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
import type { CommandsOf, Provides } from '../kit/commands.ts';
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
import { addBreakpoint, hasBreakpoint, lineOfRoute, stopText } from './breakpoints.ts';
import { debugDelivery } from './debugDelivery.ts';
import { DebuggedApp } from './debuggedApp.ts';
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
  const { prompts, context } = services;
  let made: DebuggedApp | undefined;
  const app = (): DebuggedApp => {
    if (made === undefined) {
      made = new DebuggedApp({ prompts, memento: context.workspaceState });
      context.subscriptions.push(made);
    }
    return made;
  };
  return {
    commands: () => Promise.resolve(debugCommands(services, app)),
    configurations: async (type, folder) => {
      const offered = await offeredConfigurations(folder, services.listener.destinations.forward);
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
  const start = async (given: Argument<'debugHandler'> = {}) => {
    requireTrust(t('This workspace is not trusted, so nothing in it can be debugged. Trust it first.'));
    const file =
      given.file === undefined ? await askHandlerFile(prompts) : await givenHandlerFile(given.file);
    requirePythonDebugger(file);
    const isAnswered = given.to !== undefined || given.app !== undefined;
    const apps = isAnswered ? given : await askForwardedApps(listener, prompts);
    if (apps === undefined) throw notStarted();
    const set = targetOf(apps.app, listener.destinations.forward);
    const typed = given.to ?? (await askAddress(listener, prompts, file, set));
    if (typed === undefined) throw notStarted();
    const to = checkedAddress(typed, listener);
    const isSet = set.kind === 'given' && set.to === to.href;
    // First: if the user does not allow the address, nothing is started.
    if (!isSet) await forwardTo(listener, apps, to, given.to !== undefined);
    await listener.start();
    await cancellableProgress(t('Starting your handler'), (signal) => app().startFile(file, to, signal));
    return { file, to };
  };
  const debugHandler: CommandsOf<'debug'>['debugHandler'] = async (given) => {
    const { file, to } = await start(given);
    offerBreakpoint(prompts, file, to).catch((error: unknown) => logError(log, error));
    return { name };
  };
  return { debugHandler, debugDelivery: debugDelivery(services, app, start) };
}

/** Says that no breakpoint is set, where none is, with a verb that sets one at the first line of the handler. */
async function offerBreakpoint(prompts: Prompts, { document, path }: StartingFile, to: URL): Promise<void> {
  if (hasBreakpoint()) return;
  const line = await lineOfRoute(to, document.uri);
  const message = t(
    '{0} runs, without a breakpoint. A delivery stops where you set one.',
    plainText(path, 100),
  );
  const verb = await prompts.tell(message, line === undefined ? [] : [stopText(line)], 'information');
  if (verb !== undefined && line !== undefined) addBreakpoint(line);
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
  return [handlerConfiguration({ ...file, text }, to)];
}
