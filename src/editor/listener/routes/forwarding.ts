import * as vscode from 'vscode';
import { targetText } from '../../../deliveries/routes/targetText.ts';
import { plainAddress, typedAddress } from '../../../service/typedAddress.ts';
import { refusal } from '../../../shared/http/failureReason.ts';
import { isListenerItself, isLoopback } from '../../../shared/http/loopback.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { settingIds } from '../../kit/ids.ts';
import type { InputOptions, Prompts } from '../../kit/prompts.ts';
import type { Listener } from '../listener.ts';
import { writeAddress } from './writtenRoutes.ts';

/** The part of the listener that is used here. */
export type ForwardingListener = Pick<Listener, 'destinations' | 'state'>;

/** The apps whose deliveries are forwarded: one app, or all that have no address of their own. */
export interface ForwardedApps {
  app?: string;
}

/** Asks which app is meant, if some have an address of their own. Undefined if the user cancels. */
export async function askForwardedApps(
  { destinations }: ForwardingListener,
  prompts: Prompts,
): Promise<ForwardedApps | undefined> {
  const { apps, rest } = destinations.forward;
  if (apps.size === 0) return {};
  return prompts.pick<ForwardedApps>(t('Forward deliveries of'), [
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
  /** Whether an empty answer is accepted. */
  canBeEmpty: boolean;
};

/** The address of the user's app as typed; undefined if the user cancels. */
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
    becomes: (text) => (text.trim() === '' ? '' : plainAddress(typedAddress(text))),
    warn: (text) => {
      const url = text.trim() === '' ? undefined : typedAddress(text);
      if (url === undefined || isLoopback(url.hostname)) return undefined;
      return t('{0} is not on this machine: deliveries will leave it.', plainText(url.host));
    },
    link: {
      title: t('Addresses by App'),
      open: () => {
        const routes = `@id:runhook.${settingIds.listenerRoutes}`;
        void vscode.commands.executeCommand('workbench.action.openSettings', routes);
      },
    },
  });
}

/** @throws UserError if nothing can be forwarded there */
export function checkedAddress(typed: string, { state }: ForwardingListener): URL {
  const url = typedAddress(typed);
  if (state.kind === 'listening' && isListenerItself(url, state)) {
    throw new UserError(t('{0} is the listener itself. Enter the address of your handler.', url.host), {
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  return url;
}

/**
 * Forwards deliveries to an address from now on. An address that the user has just typed needs no question. For one
 * from a caller the user is asked, unless it is on this machine or already allowed.
 * @param url undefined to keep deliveries without forwarding them
 * @returns the address as written to the settings
 * @throws DeclinedError if the user does not allow it
 */
export async function forwardTo(
  { destinations }: ForwardingListener,
  { app }: ForwardedApps,
  url: URL | undefined,
  isOfCaller: boolean,
): Promise<string> {
  if (url !== undefined) {
    // guard S58: The user is asked about an address that another extension or a task gives.
    if (isOfCaller) await destinations.allow(url.href);
    else if (destinations.permissionFor(url) !== 'given') await destinations.answer(url.href, true);
  }
  const to = url === undefined ? '' : plainAddress(url);
  await writeAddress(app, to);
  return to;
}
