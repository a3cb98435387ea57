import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { variableProblem } from './envText.ts';
import {
  secretProblem,
  type SecretScope,
  secretVariableKey,
  unsendableReason,
  usualSecretVariable,
} from '../../../service/signature/webhookSecret.ts';
import { tokenVariable } from '../../../service/requests/copiedRequest.ts';
import { t } from '../../../shared/text/l10n.ts';
import { sentences } from '../../../shared/text/sentences.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { asChosen, clicked, type CommandsOf } from '../../kit/commands.ts';
import { givenFile } from '../../kit/files.ts';
import { logError } from '../../kit/log.ts';
import { showBriefly } from '../../kit/progress.ts';
import { type Choice, DeclinedError, lastUsedFirst, type Severity } from '../../kit/prompts.ts';
import { requireTrustForSecret } from '../../kit/requireTrust.ts';
import type { Services } from '../../kit/services.ts';
import { envValues, fileName, isEnvFile, writeEnvFile, type WrittenFiles } from './envFile.ts';
import { SecretScopes } from './secretScopes.ts';
import type { TerminalSecret } from './terminalSecret.ts';
import type { WebhookSecretStore } from './webhookSecretStore.ts';

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
      const secret = given?.secret ?? (await askForSecret(title, scope, await store.find(scope)));
      await changeSecret(services, () => store.set(secret, scope));
    },

    rotateWebhookSecret: async (given, from) => {
      const store = await secrets.store();
      const asked = await scopeOf(given, t('Rotate Webhook Secret'), store, 'held');
      // A person means the secret that applies; a caller may give an app one of its own.
      const scope = from === 'caller' ? asked : ((await store.find(asked))?.scope ?? {});
      if (from !== 'caller') await confirmRotation(scope, asked);
      const done =
        scope.projectId === undefined
          ? t('Default webhook secret rotated. The previous one verifies for ten more minutes.')
          : t(
              'Webhook secret of {0} rotated. The previous one verifies for ten more minutes.',
              scopes.name(scope),
            );
      await changeSecret(services, () => store.rotate(scope), {
        text: done,
        ...(from !== 'caller' && { copy: scope }),
      });
    },

    copyWebhookSecret: async (given) => {
      const store = await secrets.store();
      const scope = await scopeOf(given, t('Copy Webhook Secret'), store, 'held');
      const found = await store.ensure(scope);
      await listener.configure();
      // guard S121: The secret leaves by the clipboard only, and only when the user copies it.
      await vscode.env.clipboard.writeText(found.secret);
      showBriefly(copiedText(found.scope, scope));
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

  /** Whose secret was copied, and for whom, where that has none of its own. */
  function copiedText(scope: SecretScope, asked: SecretScope): string {
    const isOwn = sameScope(scope, asked);
    if (scope.projectId === undefined) {
      return isOwn
        ? t('Copied the default webhook secret.')
        : t('Copied the default webhook secret, which {0} uses.', scopes.name(asked));
    }
    return isOwn
      ? t('Copied the webhook secret of {0}.', scopes.name(scope))
      : t('Copied the webhook secret of {0}, which {1} uses.', scopes.name(scope), scopes.name(asked));
  }

  async function confirmRotation(scope: SecretScope, asked: SecretScope): Promise<void> {
    const agreed = await prompts.confirm(
      scope.projectId === undefined
        ? t('Rotate the default webhook secret?')
        : t('Rotate the webhook secret of {0}?', scopes.name(scope)),
      [
        ...(sameScope(scope, asked)
          ? []
          : [t('{0} has none of its own and uses this one.', scopes.name(asked))]),
        t('Your handlers need the new one. The previous one verifies for ten more minutes.'),
      ].join('\n'),
      t('Rotate'),
    );
    if (!agreed) throw new DeclinedError(t('Cancelled.'));
  }

  async function askForSecret(
    title: string,
    scope: SecretScope,
    applies: { scope: SecretScope } | undefined,
  ): Promise<string> {
    const of = scope.projectId === undefined ? '' : scopes.name(scope);
    const until =
      of === '' || applies === undefined || sameScope(scope, applies.scope) ? undefined : applies.scope;
    const secret = await prompts.input({
      // A warning about the secret replaces the prompt, so the title names the owner too.
      title: of === '' ? title : `${title}: ${of}`,
      prompt:
        of === ''
          ? t('The secret that the service signs webhooks with')
          : until === undefined
            ? t('The secret that the service signs the webhooks of {0} with', of)
            : t(
                'The secret that the service signs the webhooks of {0} with. Until now: {1}',
                of,
                scopes.label(until),
              ),
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
      scope.appName === undefined
        ? t('Deliveries signed with it will no longer verify. Runs will use the default secret.')
        : t(
            'Deliveries signed with it will no longer verify. Runs will use the secret of the project or the default secret.',
          ),
      t('Remove'),
    );
    if (!agreed) throw new DeclinedError(t('Cancelled.'));
  }
}

function sameScope(a: SecretScope, b: SecretScope): boolean {
  return a.projectId === b.projectId && a.appName === b.appName;
}

/**
 * Changes a webhook secret, and tells where the one from before still is, with what replaces it there. Files are written
 * again only if the user says so.
 * @param done what to tell of the change itself, and whose new secret the user is then offered to copy
 */
async function changeSecret(
  { listener, secrets, terminals, files, prompts, log }: SecretServices,
  change: () => Promise<void>,
  done?: { text: string; copy?: SecretScope },
): Promise<void> {
  const known = await (await secrets.store()).texts();
  const given = terminals.secret;
  await change();
  await listener.configure();
  await terminals.follow();
  const behind = await files.behind(known);
  const names = new Set(behind.map(({ uri }) => fileName(vscode.Uri.parse(uri))));
  const areOpen = vscode.window.terminals.length > 0 && given !== undefined && given !== terminals.secret;
  const message = sentences(
    done?.text,
    names.size > 0 ? t('Still with the previous webhook secret: {0}.', [...names].join(', ')) : undefined,
    areOpen ? t('Open terminals keep the previous secret until they are closed.') : undefined,
  );
  const offer = (verb: string, as: Severity, run: () => Thenable<unknown>): void => {
    prompts
      .tell(message, [verb], as)
      .then((picked) => (picked === verb ? run() : undefined))
      .catch((error: unknown) => logError(log, error));
  };
  const { executeCommand } = vscode.commands;
  if (names.size > 0) offer(t('Update'), 'warning', () => updateFiles(files, known));
  else if (areOpen) {
    offer(t('New Terminal'), 'warning', () => executeCommand('workbench.action.terminal.new'));
  } else if (done?.copy !== undefined) {
    const [argument] = clicked(done.copy);
    offer(t('Copy Secret'), 'information', () => executeCommand(commandIds.copyWebhookSecret, argument));
  } else if (message !== '') showBriefly(message);
}

/** Writes the files again that still hold a secret from before. The command asks git again, and shows what fails. */
async function updateFiles(files: WrittenFiles, known: readonly string[]): Promise<void> {
  for (const { uri, ...others } of await files.behind(known)) {
    const argument = clicked({ ...others, file: uri }, true);
    await vscode.commands.executeCommand(commandIds.writeWebhookSecret, ...argument);
  }
}

/** Workspace-state key of the file that was written last. */
const lastFileKey = 'secrets.envFile';

/** Variables that terminals need for other purposes. */
const taken = new Set(['PATH', 'RUNHOOK_NODE', tokenVariable]);

/**
 * The commands that hand the webhook secret to an app: in the terminals of this window, or in a `.env` file.
 * @param gitProgram finds the path of git; undefined if there is none or it may not be run
 */
export function appSecretCommands(services: SecretServices, gitProgram: () => Promise<string | undefined>) {
  const { listener, secrets, projects, prompts, context, terminals, files } = services;
  const scopes = new SecretScopes(projects, prompts);

  /** Whose secret the argument names, else the one that the user picks. */
  async function scopeOf(given: SecretScope | undefined, title: string): Promise<SecretScope> {
    return given === undefined ? scopes.pick(title, await secrets.store(), 'held') : scopes.check(given);
  }

  async function secretFor(scope: SecretScope): Promise<string> {
    return (await (await secrets.store()).ensure(scope)).secret;
  }

  async function variableOf(given: string | undefined, title: string): Promise<string> {
    const asked =
      given ??
      (await prompts.input({
        title,
        prompt: t('The variable that your handler reads the secret from'),
        value: context.workspaceState.get<string>(secretVariableKey, usualSecretVariable),
        validate: nameProblem,
      }));
    if (asked === undefined) throw new DeclinedError(t('Cancelled.'));
    const problem = nameProblem(asked);
    if (problem !== undefined) throw new UserError(problem);
    if (given === undefined) await context.workspaceState.update(secretVariableKey, asked);
    return asked;
  }

  return {
    giveTerminalsWebhookSecret: async (given) => {
      requireTrustForSecret();
      const title = t('Give Terminals the Webhook Secret');
      const scope = await scopeOf(given, title);
      const variable = await variableOf(given?.variable, title);
      const secret = await secretFor(scope);
      await listener.configure();
      terminals.give(variable, scope, secret);
      showBriefly(t('New terminals of this window have the webhook secret as {0}.', variable));
      return { variable };
    },

    takeTerminalsWebhookSecret: () => {
      terminals.take();
      showBriefly(t('New terminals do not have the webhook secret. Close those that are open.'));
    },

    writeWebhookSecret: async (given, from) => {
      // guard S62: Nothing is written while the workspace is not trusted.
      requireTrustForSecret();
      const title = t('Write Webhook Secret to .env');
      const scope = await scopeOf(given, title);
      const uri = given?.file === undefined ? await pickFile(title) : await fileOf(given.file);
      const variable = await variableOf(given?.variable, title);
      return asChosen(async () => {
        const secret = await secretFor(scope);
        await listener.configure();
        const file = { ...scope, uri: uri.toString(), variable };
        const known = ['', ...(await (await secrets.store()).texts())];
        const isLost = (await envValues(uri, variable)).some((value) => !known.includes(value));
        if (from !== 'caller' && isLost) {
          const question = t('Replace {0} in {1}?', variable, fileName(uri));
          const lost = t('Runhook does not have the value that is there, and cannot bring it back.');
          if (!(await prompts.confirm(question, lost, t('Replace'))))
            throw new DeclinedError(t('Cancelled.'));
        }
        const isIgnored = await writeEnvFile(uri, { variable, secret }, await gitProgram());
        await files.remember(file);
        await context.workspaceState.update(lastFileKey, file.uri);
        if (isIgnored) showBriefly(t('{0} contains the webhook secret as {1}.', fileName(uri), variable));
        else if (from !== 'caller') tellOfNoRepository(fileName(uri));
        return { file: file.uri, variable, isIgnored };
      });
    },
  } satisfies Partial<CommandsOf<'listener'>>;

  async function pickFile(title: string): Promise<vscode.Uri> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (folders.length === 0) {
      throw new UserError(t('Open a folder first: the .env file is written there.'), {
        remedies: [{ kind: 'openFolder' }],
      });
    }
    const found = (await vscode.workspace.findFiles('**/{.env,.env.*,*.env}', '**/node_modules/**', 50))
      .filter(({ scheme, path }) => scheme === 'file' && isEnvFile(path))
      .sort((a, b) => a.path.localeCompare(b.path));
    const foundUris = new Set(found.map(String));
    const newFiles = folders
      .map(({ uri }) => vscode.Uri.joinPath(uri, '.env'))
      .filter((uri) => !foundUris.has(uri.toString()));
    const choice = (uri: vscode.Uri, description?: string): Choice<vscode.Uri> => ({
      label: fileName(uri),
      ...(description !== undefined && { description }),
      value: uri,
    });
    const last = context.workspaceState.get<string>(lastFileKey);
    const choices = lastUsedFirst(
      [...found.map((uri) => choice(uri)), ...newFiles.map((uri) => choice(uri, t('a new file')))],
      ({ value }) => value.toString() === last,
    );
    const picked = await prompts.pick(title, choices);
    if (picked === undefined) throw new DeclinedError(t('Cancelled.'));
    return picked;
  }
}

function nameProblem(name: string): string | undefined {
  return taken.has(name.toUpperCase()) ? t('{0} is reserved for other uses.', name) : variableProblem(name);
}

/** The file at a path. A relative path in a single-folder workspace may name a file that does not exist yet. */
async function fileOf(file: string): Promise<vscode.Uri> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const isWithin = !/^([\\/]|[a-z][\w+.-]*:)/i.test(file);
  return isWithin && folder !== undefined && vscode.workspace.workspaceFolders?.length === 1
    ? vscode.Uri.joinPath(folder.uri, file)
    : givenFile(file);
}

function tellOfNoRepository(name: string): void {
  void vscode.window.showWarningMessage(
    t(
      '{0} now contains the webhook secret. It is not in a Git repository, so nothing prevents it from being shared.',
      name,
    ),
  );
}
