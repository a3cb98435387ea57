import * as v from 'valibot';
import * as vscode from 'vscode';
import { targetOf } from '../../../model/deliveries/destination.ts';
import { targetText } from '../../../model/routes/targetText.ts';
import { plainAddress, typedAddress } from '../../../model/routes/typedAddress.ts';
import { refusal } from '../../../model/service/failureReason.ts';
import { isLoopback } from '../../../model/service/loopback.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { commandIds, settingIds } from '../../ids.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { showBriefly } from '../../showBriefly.ts';
import type { Listener } from '../listener.ts';
import { addressOf, writeAddress } from './writtenRoutes.ts';

/** What the command needs of the listener. */
export type ForwardingListener = Pick<Listener, 'destinations' | 'state'>;

/** *Forward to…*: where deliveries are handed on to, those of one app or all others. */
export function forwardToCommand(listener: ForwardingListener, prompts: Prompts) {
  const argument = v.object({
    /** Empty: they are kept, and not forwarded. */
    to: v.exactOptional(v.string()),
    app: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  });
  return {
    [commandIds.setForwardTo]: command(argument, async (all, from) => {
      // The title of a view hands over the row that has the focus.
      const given = from === 'caller' ? all : undefined;
      const app = given === undefined ? await askApp(listener, prompts) : given.app;
      const typed = given?.to ?? (await askAddress(listener, prompts, app));
      const url = typed.trim() === '' ? undefined : checked(typed, listener);
      if (url !== undefined) await allow(url, listener, given?.to !== undefined);
      const to = url === undefined ? '' : plainAddress(url);
      await writeAddress(app, to);
      if (from !== 'caller') {
        showBriefly(t('Deliveries: {0}', targetText(targetOf(app, listener.destinations.forward))));
      }
      return { to };
    }),
  };
}

/** Which app is meant, where some have an address of their own; undefined for all others. */
async function askApp({ destinations }: ForwardingListener, prompts: Prompts): Promise<string | undefined> {
  const { apps, rest } = destinations.forward;
  if (apps.size === 0) return undefined;
  const picked = await prompts.pick<{ app?: string }>(t('Forward Deliveries Of'), [
    { label: t('All other apps'), description: targetText(rest), value: {} },
    ...[...apps].map(([app, target]) => ({
      label: plainText(app),
      description: targetText(target),
      value: { app },
    })),
  ]);
  if (picked === undefined) throw unchanged();
  return picked.app;
}

async function askAddress(
  listener: ForwardingListener,
  prompts: Prompts,
  app: string | undefined,
): Promise<string> {
  const address = await prompts.input({
    title: app === undefined ? t('Forward To') : t('Forward {0} To', plainText(app, 60)),
    prompt: vscode.workspace.isTrusted
      ? t('The address of your app. Empty: deliveries are kept, and not forwarded.')
      : t('The address of your app, for your user settings: the workspace is not trusted.'),
    value: addressOf(app),
    placeHolder: 'localhost:3000',
    validate: (text) => (text.trim() === '' ? undefined : refusal(() => checked(text, listener))),
    warn: (text) => {
      const url = text.trim() === '' ? undefined : typedAddress(text);
      if (url === undefined || isLoopback(url.hostname)) return undefined;
      return t('{0} is not on this machine: deliveries leave it.', plainText(url.host));
    },
    link: {
      title: t('Addresses of Single Apps'),
      open: () => {
        const routes = `@id:runhook.${settingIds.listenerRoutes}`;
        void vscode.commands.executeCommand('workbench.action.openSettings', routes);
      },
    },
  });
  if (address === undefined) throw unchanged();
  return address;
}

/** @throws UserError where nothing can be forwarded there */
function checked(typed: string, { state }: ForwardingListener): URL {
  const url = typedAddress(typed);
  if (state.kind === 'listening' && isLoopback(url.hostname) && url.port === String(state.port)) {
    throw new UserError(t('{0} is the listener itself. Enter the address of your app.', url.host), {
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  return url;
}

/** What the user has just typed needs no question; what a caller gives does, where it is not on this machine. */
async function allow(url: URL, { destinations }: ForwardingListener, isOfCaller: boolean): Promise<void> {
  // guard: an address that another extension or a task gives is asked for
  if (isOfCaller) await destinations.allow(url.href);
  else if (destinations.leaveFor(url) !== 'given') await destinations.answer(url.href, true);
}

function unchanged(): DeclinedError {
  return new DeclinedError(t('Deliveries go where they went before.'));
}
