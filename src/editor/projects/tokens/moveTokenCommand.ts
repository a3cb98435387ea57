import * as vscode from 'vscode';
import type { Argument } from '../../../contract/commands.ts';
import { claimedProject, readClaims } from '../../../model/keys/token.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import type { CommandsOf } from '../../commands.ts';
import { givenFile, openFile } from '../../prompts/givenFile.ts';
import { replaceByVariable } from '../../replaceByVariable.ts';
import type { ProjectQuestions } from '../questions/projectQuestions.ts';
import type { Projects } from '../projects.ts';
import type { Tokens } from './tokens.ts';

/** The variable that replaces the token in the file. */
const variable = 'RUNHOOK_TOKEN';

/** The command that moves a token from a file to SecretStorage. */
export function moveTokenCommands(projects: Projects, tokens: Tokens, questions: ProjectQuestions) {
  return {
    moveTokenToSecretStore: async (given) => {
      if (given === undefined) throw new UserError(t('There is no token to move here.'));
      await moveToken(given, projects, tokens, questions);
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/**
 * Stores the token at a location in a file, and replaces it there with the name of a variable.
 * @throws UserError if there is no token, or it is gone when the questions are answered
 */
export async function moveToken(
  given: Argument<'moveTokenToSecretStore'>,
  projects: Projects,
  tokens: Tokens,
  questions: ProjectQuestions,
): Promise<void> {
  const document = await openFile(await givenFile(given.uri));
  const rangeNow = () => new vscode.Range(document.positionAt(given.start), document.positionAt(given.end));
  const token = document.getText(rangeNow());
  const checkIsThere = () => {
    if (document.getText(rangeNow()) !== token) throw noToken();
  };
  if (!(await tokens.values()).includes(token)) {
    const claims = readClaims(token);
    if (claims === undefined) throw noToken();
    const projectId = claimedProject(claims);
    const account = await questions.account({ projectId }, t('Whose token is it?'));
    checkIsThere();
    await projects.setToken(account.projectId, account.serviceAccountId, token);
  }
  checkIsThere();
  const { edit } = replaceByVariable(document, rangeNow(), variable);
  // The editor rejects the edit if the text has changed in the meantime.
  if (!(await vscode.workspace.applyEdit(edit))) throw noToken();
}

function noToken(): UserError {
  return new UserError(t('The file has changed: there is no token here any more.'));
}
