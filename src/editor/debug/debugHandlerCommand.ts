import * as v from 'valibot';
import * as vscode from 'vscode';
import { type ForwardTarget, targetOf } from '../../model/deliveries/destination.ts';
import {
  guessedAddress,
  handlerConfiguration,
  handlerConfigurationName as name,
  runtimeOf,
} from '../../model/tasks/handlerConfiguration.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import { command, type CommandsOf } from '../commands.ts';
import { requireTrust } from '../errors/requireTrust.ts';
import { commandIds } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import {
  askForwardAddress,
  askForwardedApps,
  checkedAddress,
  forwardTo,
  type Listener,
} from '../listener/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { showBriefly } from '../showBriefly.ts';
import { askHandlerFile, givenHandlerFile, type StartingFile } from './handlerFile.ts';

/** The extension that debugs Python. It does not ship with VS Code. */
const pythonDebugger = 'ms-python.debugpy';

/**
 * *Debug a Handler…*: starts the listener and then the app under the debugger, with the secret and with deliveries
 * forwarded to it.
 */
export function debugCommands({ listener, prompts }: Services): CommandsOf<'debug'> {
  const argument = v.object({
    /** The file that starts the app: its address, its path, or its path within the workspace. */
    file: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    /** The address at which its handler takes webhooks: deliveries are forwarded there. */
    to: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    /** The name of the app whose deliveries go there; all others where it is left out. */
    app: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  });
  return {
    [commandIds.debugHandler]: command(argument, async (given = {}) => {
      requireTrust(t('This workspace is not trusted, so nothing in it is debugged. Trust it first.'));
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
    }),
  };
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
    prompt: t('The address at which your handler takes webhooks. Deliveries are forwarded there.'),
    value: set.kind === 'given' ? set.to : guessedAddress(document.getText()),
    canBeEmpty: false,
  });
}

/** @throws UserError if VS Code cannot debug Python */
function requirePythonDebugger(path: string): void {
  if (vscode.extensions.getExtension(pythonDebugger) !== undefined) return;
  const shown = plainText(path, 100);
  throw new UserError(t('{0} is debugged by the extension Python Debugger, which is not installed.', shown), {
    remedies: [{ kind: 'showExtension', id: pythonDebugger }],
  });
}

function notStarted(): DeclinedError {
  return new DeclinedError(t('Nothing was started.'));
}
