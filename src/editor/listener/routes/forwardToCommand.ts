import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { targetOf } from '../../../deliveries/destination.ts';
import { targetText } from '../../../deliveries/routes/targetText.ts';
import { isLoopback } from '../../../shared/http/loopback.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { clicked, type CommandsOf } from '../../kit/commands.ts';
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
      if (from !== 'caller' && url !== undefined && !isLoopback(url.hostname)) {
        tellOfOtherMachine(url.host, prompts, apps);
      } else if (from !== 'caller') {
        showBriefly(t('Forwarding: {0}', targetText(targetOf(apps.app, listener.destinations.forward))));
      }
      return { to };
    },
  } satisfies Partial<CommandsOf<'listener'>>;
}

/** Whoever has mistyped an address of this machine has to see it before a delivery leaves. */
function tellOfOtherMachine(host: string, prompts: Prompts, { app }: ForwardedApps): void {
  const change = t('Forward to…');
  void prompts
    .tell(
      t('Deliveries are forwarded to {0}, which is not on this machine.', plainText(host)),
      [change],
      'warning',
    )
    .then((picked) =>
      picked === change
        ? vscode.commands.executeCommand(
            commandIds.setForwardTo,
            ...clicked(app === undefined ? {} : { app }),
          )
        : undefined,
    );
}

function askAddress(
  listener: ForwardingListener,
  prompts: Prompts,
  { app }: ForwardedApps,
): Promise<string | undefined> {
  return askForwardAddress(listener, prompts, {
    title: app === undefined ? t('Forward to') : t('Forward {0} to', plainText(app, 60)),
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
