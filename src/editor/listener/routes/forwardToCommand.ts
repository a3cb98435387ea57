import * as vscode from 'vscode';
import { targetOf } from '../../../deliveries/destination.ts';
import { targetText } from '../../../deliveries/routes/targetText.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import type { CommandsOf } from '../../kit/commands.ts';
import { DeclinedError, type Prompts } from '../../kit/prompts.ts';
import { showBriefly } from '../../kit/progress.ts';
import {
  askForwardAddress,
  askForwardedApps,
  checkedAddress,
  type ForwardedApps,
  type ForwardingListener,
  forwardTo,
} from './forwarding.ts';
import { addressOf } from './writtenRoutes.ts';

/** The command *Forward to…*: sets where the deliveries of one app, or of all other apps, are forwarded. */
export function forwardToCommand(listener: ForwardingListener, prompts: Prompts) {
  return {
    setForwardTo: async (given, from) => {
      const apps: ForwardedApps | undefined = given ?? (await askForwardedApps(listener, prompts));
      if (apps === undefined) throw unchanged();
      const typed = given?.to ?? (await askAddress(listener, prompts, apps));
      if (typed === undefined) throw unchanged();
      const url = typed.trim() === '' ? undefined : checkedAddress(typed, listener);
      const to = await forwardTo(listener, apps, url, given?.to !== undefined);
      if (from !== 'caller') {
        showBriefly(t('Deliveries: {0}', targetText(targetOf(apps.app, listener.destinations.forward))));
      }
      return { to };
    },
  } satisfies Partial<CommandsOf<'listener'>>;
}

function askAddress(
  listener: ForwardingListener,
  prompts: Prompts,
  { app }: ForwardedApps,
): Promise<string | undefined> {
  return askForwardAddress(listener, prompts, {
    title: app === undefined ? t('Forward To') : t('Forward {0} To', plainText(app, 60)),
    prompt: vscode.workspace.isTrusted
      ? t('The address of your handler. Leave it empty to keep deliveries without forwarding them.')
      : t(
          'The address of your handler. It is saved in your user settings, because the workspace is not trusted.',
        ),
    value: addressOf(app),
    canBeEmpty: true,
  });
}

function unchanged(): DeclinedError {
  return new DeclinedError(t('Nothing was changed.'));
}
