import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ServiceAccount } from '../../model/project.ts';
import { tokenExpiry } from '../../model/token.ts';
import { plainText } from '../../model/plainText.ts';
import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { AccountRef, KeyLists } from './keyLists.ts';
import { askForAccount, askForProject } from './newProjectQuestions.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import type { TokenQuestions } from './tokenQuestions.ts';
import type { Tokens } from './tokens.ts';

const t = vscode.l10n.t;
const accountArgument = v.object({
  projectId: v.optional(v.string()),
  serviceAccountId: v.optional(v.string()),
});
const tokenArgument = v.object({ ...accountArgument.entries, token: v.optional(v.string()) });

/** The commands for tokens and for whose token is used. */
export function registerTokenCommands(
  commands: Commands,
  projects: Projects,
  tokens: Tokens,
  keyLists: KeyLists,
  questions: ProjectQuestions,
  tokenQuestions: TokenQuestions,
): void {
  commands.register(commandIds.setToken, tokenArgument, async (given) => {
    const title = t('Set Token');
    const { projectId, serviceAccountId, account } =
      given?.serviceAccountId === undefined
        ? await askWhose(projects, questions, given?.projectId)
        : await questions.account(given, title);
    const token =
      given?.token === undefined
        ? await tokenQuestions.ask(projectId, account, title)
        : tokenQuestions.clean(given.token);
    await projects.setToken(projectId, serviceAccountId, token);
    keyLists.forgetOne({ projectId, serviceAccountId });
    return expiryOf(token);
  });

  commands.register(commandIds.deleteToken, accountArgument, async (given, from) => {
    const { projectId, serviceAccountId, account } = await questions.account(given, t('Delete Token'));
    if (from !== 'caller') {
      await questions.confirm(
        t('Delete the token of {0}?', account.name ?? account.id),
        t('The service shows a token only once: without a copy of it you need a new one.'),
        t('Delete'),
      );
    }
    await projects.deleteToken(projectId, serviceAccountId);
    keyLists.forgetOne({ projectId, serviceAccountId });
  });

  commands.register(commandIds.rotateToken, tokenArgument, async (given) => {
    const title = t('Rotate Token');
    const { projectId, serviceAccountId, account } = await questions.account(given, title);
    const token =
      given?.token === undefined
        ? await tokenQuestions.ask(projectId, account, title)
        : tokenQuestions.clean(given.token);
    // The old token is kept until the service has taken the new one.
    await keyLists.tryToken({ projectId, serviceAccountId }, token);
    await projects.setToken(projectId, serviceAccountId, token);
    keyLists.forgetOne({ projectId, serviceAccountId });
    return expiryOf(token);
  });

  commands.register(
    commandIds.removeAllTokens,
    v.object({ confirmed: v.optional(v.boolean()) }),
    async (given) => {
      if (given?.confirmed !== true) {
        await questions.confirm(
          t('Delete every token that Runhook has stored?'),
          t('The service shows a token only once: without copies of them you need new ones.'),
          t('Delete All'),
        );
      }
      const removed = await tokens.deleteAll(() => true);
      keyLists.forget();
      return { removed };
    },
  );

  commands.register(commandIds.useServiceAccount, accountArgument, async (given) => {
    const { projectId, serviceAccountId } = await questions.account(given, t('Use Service Account'));
    await projects.useAccount(projectId, serviceAccountId);
  });
}

function expiryOf(token: string): { expiresAt?: string } {
  const at = tokenExpiry(token);
  return at === undefined ? {} : { expiresAt: new Date(at).toISOString() };
}

/** Whose token is to be set: the project, the account and its environment may be new. @throws DeclinedError */
async function askWhose(
  projects: Projects,
  questions: ProjectQuestions,
  givenProject: string | undefined,
): Promise<AccountRef & { account: ServiceAccount }> {
  const title = t('Set Token');
  if (givenProject === undefined && projects.all().length === 0) {
    await projects.add(await askForProject(questions));
  }
  const { id: projectId, serviceAccounts } = await questions.project(givenProject, title);
  const account =
    serviceAccounts.length === 0
      ? undefined
      : await questions.pick<ServiceAccount | undefined>(title, [
          ...serviceAccounts.map((one) => ({
            label: plainText(one.name ?? one.id),
            description: plainText(one.environment ?? ''),
            value: one,
          })),
          { label: t('Add Service Account…'), value: undefined },
        ]);
  if (account !== undefined) return { projectId, serviceAccountId: account.id, account };
  const added = await askForAccount(questions);
  await projects.addServiceAccount(projectId, added);
  return { projectId, serviceAccountId: added.id, account: added };
}
