import * as vscode from 'vscode';
import { variableProblem } from '../../../model/secrets/envText.ts';
import { secretVariableKey, usualSecretVariable } from '../../../model/secrets/secretVariable.ts';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import type { CommandsOf } from '../../commands.ts';
import { type Choice, DeclinedError, lastUsedFirst } from '../../kit/prompts.ts';
import { givenFile } from '../../kit/files.ts';
import { showBriefly } from '../../kit/progress.ts';
import { isEnvFile, writeEnvFile } from './envFile.ts';
import type { SecretServices } from './secretCommands.ts';
import { SecretScopes } from './secretScopes.ts';
import { requireTrustForSecret } from '../../kit/requireTrust.ts';

/** Workspace-state key of the file that was written last. */
const lastFileKey = 'secrets.envFile';

/** Variables that terminals need for other purposes. */
const taken = new Set(['PATH', 'RUNHOOK_NODE']);

/**
 * The commands that hand the webhook secret to an app: in the terminals of this window, or in a `.env` file.
 * @param gitProgram finds the path of git; undefined if there is none or it may not be run
 */
export function appSecretCommands(services: SecretServices, gitProgram: () => Promise<string | undefined>) {
  const { listener, secrets, projects, prompts, context, terminals, files } = services;
  const scopes = new SecretScopes(projects, prompts);

  /** The secret that the argument names, else the one that the user picks. */
  async function secretOf(given: SecretScope | undefined, title: string) {
    const store = await secrets.store();
    const scope = await (given === undefined
      ? scopes.pick(title, store, 'held')
      : Promise.resolve(scopes.check(given)));
    return { asked: scope, secret: (await store.ensure(scope)).secret };
  }

  async function variableOf(given: string | undefined, title: string): Promise<string> {
    const asked =
      given ??
      (await prompts.input({
        title,
        prompt: t('The variable that your app reads the secret from'),
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
      const { asked, secret } = await secretOf(given, title);
      const variable = await variableOf(given?.variable, title);
      await listener.configure();
      terminals.give(variable, asked, secret);
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
      const { asked, secret } = await secretOf(given, title);
      const uri = given?.file === undefined ? await pickFile(title) : await fileOf(given.file);
      const variable = await variableOf(given?.variable, title);
      await listener.configure();
      const file = { ...asked, uri: uri.toString(), variable };
      const isIgnored = await writeEnvFile(uri, { variable, secret }, await gitProgram());
      await files.remember(file);
      await context.workspaceState.update(lastFileKey, file.uri);
      const name = plainText(vscode.workspace.asRelativePath(uri));
      if (isIgnored) showBriefly(t('{0} has the webhook secret as {1}.', name, variable));
      else if (from !== 'caller') tellOfNoRepository(name);
      return { file: file.uri, variable, isIgnored };
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
      label: plainText(vscode.workspace.asRelativePath(uri)),
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
  return taken.has(name.toUpperCase()) ? t('{0} is needed for something else.', name) : variableProblem(name);
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
      '{0} has the webhook secret now. It is in no git repository: nothing keeps it from being shared.',
      name,
    ),
  );
}
