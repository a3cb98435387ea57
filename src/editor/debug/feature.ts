import * as vscode from 'vscode';
import { type ForwardTarget, type ForwardTargets, targetOf } from '../../deliveries/destination.ts';
import { typedAddress } from '../../service/typedAddress.ts';
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
import type { CommandsOf, Provides } from '../kit/commands.ts';
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
import { showBriefly } from '../kit/progress.ts';
import { debugDelivery } from './debugDelivery.ts';
import { DebuggedApp } from './debuggedApp.ts';
import {
  askHandlerFile,
  givenHandlerFile,
  isHandler,
  type StartingFile,
  startingFile,
} from './handlerFile.ts';

export { DebuggedApp } from './debuggedApp.ts';

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
  const { listener, prompts } = services;
  const debugHandler: CommandsOf<'debug'>['debugHandler'] = async (given = {}) => {
    requireTrust(t('This workspace is not trusted, so nothing in it can be debugged. Trust it first.'));
    const file =
      given.file === undefined ? await askHandlerFile(prompts) : await givenHandlerFile(given.file);
    const { folder, path, document, hasTsx } = file;
    if (runtimeOf(path) === 'python') requirePythonDebugger(path);
    const isAnswered = given.to !== undefined || given.app !== undefined;
    const apps = isAnswered ? given : await askForwardedApps(listener, prompts);
    if (apps === undefined) throw notStarted();
    const set = targetOf(apps.app, listener.destinations.forward);
    const typed = given.to ?? (await askAddress(listener, prompts, file, set));
    if (typed === undefined) throw notStarted();
    const to = checkedAddress(typed, listener);
    const isSet = set.kind === 'given' && set.to === to.href;
    const configuration = handlerConfiguration({ path, text: document.getText(), hasTsx }, to);
    // First: if the user does not allow the address, nothing is started.
    if (!isSet) await forwardTo(listener, apps, to, given.to !== undefined);
    await vscode.window.showTextDocument(document, { preview: false });
    if (!(await vscode.debug.startDebugging(folder, configuration))) {
      throw new UserError(t('"{0}" did not start.', name), { remedies: [{ kind: 'tryAgain' }] });
    }
    showBriefly(t('Set a breakpoint in {0}: the next delivery stops there.', plainText(path, 100)));
    return { name };
  };
  return { debugHandler, debugDelivery: debugDelivery(services, app, debugHandler) };
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
    value: set.kind === 'given' ? set.to : guessedAddress(document.getText()),
    canBeEmpty: false,
  });
}

/** @throws UserError if VS Code cannot debug Python */
function requirePythonDebugger(path: string): void {
  if (vscode.extensions.getExtension(pythonDebugger) !== undefined) return;
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
