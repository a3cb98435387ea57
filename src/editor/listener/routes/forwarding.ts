import * as vscode from 'vscode';
import { targetText } from '../../../model/routes/targetText.ts';
import { plainAddress, typedAddress } from '../../../model/routes/typedAddress.ts';
import { refusal } from '../../../model/service/failureReason.ts';
import { isListenerItself, isLoopback } from '../../../model/service/loopback.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { settingIds } from '../../ids.ts';
import type { InputOptions, Prompts } from '../../prompts/prompts.ts';
import type { Listener } from '../listener.ts';
import { writeAddress } from './writtenRoutes.ts';

/** What is needed of the listener. */
export type ForwardingListener = Pick<Listener, 'destinations' | 'state'>;

/** Whose deliveries: those of one app, or of all that have no address of their own. */
export interface ForwardedApps {
  app?: string;
}

/** Which app is meant, where some have an address of their own; undefined where the user leaves. */
export async function askForwardedApps(
  { destinations }: ForwardingListener,
  prompts: Prompts,
): Promise<ForwardedApps | undefined> {
  const { apps, rest } = destinations.forward;
  if (apps.size === 0) return {};
  return prompts.pick<ForwardedApps>(t('Forward Deliveries Of'), [
    { label: t('All other apps'), description: targetText(rest), value: {} },
    ...[...apps].map(([app, target]) => ({
      label: plainText(app),
      description: targetText(target),
      value: { app },
    })),
  ]);
}

/** How the address of an app is asked for. */
type AddressQuestion = Pick<InputOptions, 'title' | 'prompt'> & {
  value: string;
  /** Whether none will do, too. */
  canBeEmpty: boolean;
};

/** The address of the user's app as it was typed; undefined where the user leaves. */
export function askForwardAddress(
  listener: ForwardingListener,
  prompts: Prompts,
  { canBeEmpty, ...question }: AddressQuestion,
): Promise<string | undefined> {
  return prompts.input({
    ...question,
    placeHolder: 'localhost:3000',
    validate: (text) =>
      text.trim() === '' && canBeEmpty ? undefined : refusal(() => checkedAddress(text, listener)),
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
}

/** @throws UserError where nothing can be forwarded there */
export function checkedAddress(typed: string, { state }: ForwardingListener): URL {
  const url = typedAddress(typed);
  if (state.kind === 'listening' && isListenerItself(url, state)) {
    throw new UserError(t('{0} is the listener itself. Enter the address of your app.', url.host), {
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  return url;
}

/**
 * Has deliveries forwarded to an address from now on. What the user has just typed needs no question; what a caller
 * gives does, where it is not on this machine.
 * @param url undefined: they are kept, and not forwarded
 * @returns the address as it is kept
 * @throws DeclinedError where the user gives no leave
 */
export async function forwardTo(
  { destinations }: ForwardingListener,
  { app }: ForwardedApps,
  url: URL | undefined,
  isOfCaller: boolean,
): Promise<string> {
  if (url !== undefined) {
    // guard: an address that another extension or a task gives is asked for
    if (isOfCaller) await destinations.allow(url.href);
    else if (destinations.leaveFor(url) !== 'given') await destinations.answer(url.href, true);
  }
  const to = url === undefined ? '' : plainAddress(url);
  await writeAddress(app, to);
  return to;
}
