import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { clicked } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { type Log, logError } from '../../log.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { showBriefly } from '../../showBriefly.ts';
import type { Listener } from '../listener.ts';
import type { TerminalSecret } from './terminalSecret.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';
import type { WrittenFiles } from './writtenFiles.ts';

/** What a change of a webhook secret needs. */
export interface SecretChangeParts {
  listener: Listener;
  secrets: WebhookSecrets;
  terminals: TerminalSecret;
  files: WrittenFiles;
  prompts: Prompts;
  log: Log;
}

/**
 * Changes a webhook secret, and tells where the one from before still is. Files are written again only if the user
 * says so.
 * @param done what to tell of the change itself
 */
export async function changeSecret(
  { listener, secrets, terminals, files, prompts, log }: SecretChangeParts,
  change: () => Promise<void>,
  done = '',
): Promise<void> {
  const known = await (await secrets.store()).texts();
  const given = terminals.secret;
  await change();
  await listener.configure();
  await terminals.follow();
  const behind = await files.behind(known);
  const names = new Set(
    behind.map(({ uri }) => plainText(vscode.workspace.asRelativePath(vscode.Uri.parse(uri)))),
  );
  const areOpen = vscode.window.terminals.length > 0 && given !== undefined && given !== terminals.secret;
  const message = [
    ...(done === '' ? [] : [done]),
    ...(names.size > 0 ? [t('Still with the webhook secret from before: {0}.', [...names].join(', '))] : []),
    ...(areOpen ? [t('Open terminals that have the one from before keep it until they are closed.')] : []),
  ].join(' ');
  if (names.size > 0) {
    const update = t('Update');
    prompts
      .tell(message, [update], 'warning')
      .then((picked) => (picked === update ? updateFiles(files, known) : undefined))
      .catch((error: unknown) => logError(log, error));
  } else if (message !== '') {
    showBriefly(message);
  }
}

/** Writes the files again that still hold a secret from before. The command asks git again, and shows what fails. */
async function updateFiles(files: WrittenFiles, known: readonly string[]): Promise<void> {
  for (const { uri, ...others } of await files.behind(known)) {
    const argument = clicked({ ...others, file: uri }, true);
    await vscode.commands.executeCommand(commandIds.writeWebhookSecret, ...argument);
  }
}
