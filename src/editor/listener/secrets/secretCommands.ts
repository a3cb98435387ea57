import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { clicked, type CommandsOf } from '../../commands.ts';
import { type SecretScope, secretProblem, unsendableReason } from '../../../model/secrets/webhookSecret.ts';
import { t } from '../../../model/text/l10n.ts';
import { DeclinedError } from '../../kit/prompts.ts';
import type { Services } from '../../kit/services.ts';
import { showBriefly } from '../../kit/progress.ts';
import { requireTrustForSecret } from '../../kit/requireTrust.ts';
import { SecretScopes } from './secretScopes.ts';
import type { WebhookSecretStore } from './webhookSecretStore.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { logError } from '../../kit/log.ts';
import type { TerminalSecret } from './terminalSecret.ts';
import type { WrittenFiles } from './writtenFiles.ts';

/** What the commands of the webhook secrets need: also the places that hold copies of a secret. */
export interface SecretServices extends Services {
  terminals: TerminalSecret;
  files: WrittenFiles;
}

/** The commands of the webhook secrets: the default one, and those of projects and apps. */
export function secretCommands(services: SecretServices) {
  const { listener, secrets, projects, prompts } = services;
  const scopes = new SecretScopes(projects, prompts);

  /** The scope that the argument names; without an argument, the one that the user picks. */
  const scopeOf = async (
    given: SecretScope | undefined,
    title: string,
    store: WebhookSecretStore,
    of: 'held' | 'all',
  ): Promise<SecretScope> => (given === undefined ? scopes.pick(title, store, of) : scopes.check(given));

  return {
    setWebhookSecret: async (given) => {
      const title = t('Set Webhook Secret');
      const store = await secrets.store();
      const scope = await scopeOf(given, title, store, 'all');
      const secret = given?.secret ?? (await askForSecret(title, scope));
      await changeSecret(services, () => store.set(secret, scope));
    },

    rotateWebhookSecret: async (given) => {
      const store = await secrets.store();
      const scope = await scopeOf(given, t('Rotate Webhook Secret'), store, 'held');
      const done =
        scope.projectId === undefined
          ? t('The webhook secret was replaced. The previous one still verifies for ten minutes.')
          : t(
              'The webhook secret of {0} was replaced. The previous one still verifies for ten minutes.',
              scopes.name(scope),
            );
      await changeSecret(services, () => store.rotate(scope), done);
    },

    copyWebhookSecret: async (given) => {
      const store = await secrets.store();
      const scope = await scopeOf(given, t('Copy Webhook Secret'), store, 'held');
      const found = await store.ensure(scope);
      await listener.configure();
      // guard S121: The secret leaves by the clipboard only, and only when the user copies it.
      await vscode.env.clipboard.writeText(found.secret);
      showBriefly(
        found.scope.projectId === undefined
          ? t('Copied the webhook secret.')
          : t('Copied the webhook secret of {0}.', scopes.name(found.scope)),
      );
    },

    // Asks nothing: VS Code runs it each time a task or launch configuration that uses it is started.
    webhookSecret: async (given = {}) => {
      requireTrustForSecret();
      const found = await (await secrets.store()).ensure(scopes.check(given));
      await listener.configure();
      return found.secret;
    },

    removeWebhookSecret: async (given, from) => {
      const title = t('Remove Webhook Secret');
      const store = await secrets.store();
      const scope = given?.projectId === undefined ? await scopes.pickOwn(title, store) : given;
      if (from !== 'caller') await confirmRemoval(scope);
      await changeSecret(services, () => store.remove(scope));
    },
  } satisfies Partial<CommandsOf<'listener'>>;

  async function askForSecret(title: string, scope: SecretScope): Promise<string> {
    const of = scope.projectId === undefined ? '' : scopes.name(scope);
    const secret = await prompts.input({
      // A warning about the secret replaces the prompt, so the title names the owner too.
      title: of === '' ? title : `${title}: ${of}`,
      prompt:
        of === ''
          ? t('The secret that the service signs webhooks with')
          : t('The secret that the service signs the webhooks of {0} with', of),
      password: true,
      validate: (typed) => secretProblem(typed),
      warn: (typed) => {
        const reason = unsendableReason(typed);
        return reason && t('This secret cannot be sent with a run: {0}.', reason);
      },
    });
    if (secret === undefined) throw new DeclinedError(t('Cancelled.'));
    return secret;
  }

  async function confirmRemoval(scope: SecretScope): Promise<void> {
    const agreed = await prompts.confirm(
      t('Remove the webhook secret of {0}?', scopes.name(scope)),
      t(
        'Deliveries signed with it no longer verify. Runs use the secret of the project again, or the default one.',
      ),
      t('Remove'),
    );
    if (!agreed) throw new DeclinedError(t('Cancelled.'));
  }
}

/**
 * Changes a webhook secret, and tells where the one from before still is. Files are written again only if the user
 * says so.
 * @param done what to tell of the change itself
 */
async function changeSecret(
  { listener, secrets, terminals, files, prompts, log }: SecretServices,
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
    ...(names.size > 0 ? [t('Still using the previous webhook secret: {0}.', [...names].join(', '))] : []),
    ...(areOpen ? [t('Open terminals keep the previous secret until they are closed.')] : []),
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
