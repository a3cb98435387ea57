import * as v from 'valibot';
import * as vscode from 'vscode';
import { type ForwardTarget, targetOf } from '../../model/deliveries/destination.ts';
import {
  guessedAddress,
  handlerConfiguration,
  handlerConfigurationName as name,
} from '../../model/tasks/handlerConfiguration.ts';
import { t } from '../../model/text/l10n.ts';
import { command, type CommandsOf } from '../commands.ts';
import { requireTrust } from '../errors/requireTrust.ts';
import { commandIds } from '../ids.ts';
import {
  askForwardAddress,
  askForwardedApps,
  checkedAddress,
  forwardTo,
  type Listener,
} from '../listener/feature.ts';
import { type Log, logError } from '../log.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { askHandlerFile, givenHandlerFile, type StartingFile } from './handlerFile.ts';
import { plannedLaunch, writeLaunch } from './launchFile.ts';
import { agreesToLaunch } from './launchPreview.ts';
import { tellReady } from './tellReady.ts';

export interface DebugFeature {
  listener: Listener;
  prompts: Prompts;
  log: Log;
}

/**
 * *Debug a Handler…*: writes a launch configuration that starts the listener and then the app, with the secret and
 * with deliveries forwarded to it. Nothing is written before the user has seen a preview.
 */
export function debugCommands({ listener, prompts, log }: DebugFeature): CommandsOf<'debug'> {
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
      const isAnswered = given.to !== undefined || given.app !== undefined;
      const apps = isAnswered ? given : await askForwardedApps(listener, prompts);
      if (apps === undefined) throw notWritten();
      const set = targetOf(apps.app, listener.destinations.forward);
      const typed = given.to ?? (await askAddress(listener, prompts, file, set));
      if (typed === undefined) throw notWritten();
      const to = checkedAddress(typed, listener);
      const isSet = set.kind === 'given' && set.to === to.href;
      const { folder, path, document, hasTsx } = file;
      const text = document.getText();
      const launch = await plannedLaunch(folder, handlerConfiguration({ path, text, hasTsx }, to));
      if (!(await agreesToLaunch(prompts, launch, isSet ? undefined : to))) throw notWritten();
      // Before the file is written: if the user does not allow the address, the file stays unchanged.
      if (!isSet) await forwardTo(listener, apps, to, given.to !== undefined);
      await writeLaunch(launch);
      await vscode.window.showTextDocument(document, { preview: false });
      tellReady(folder, path, (error) => logError(log, error));
      return { name, file: launch.uri.toString() };
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

function notWritten(): DeclinedError {
  return new DeclinedError(t('Nothing was written.'));
}
