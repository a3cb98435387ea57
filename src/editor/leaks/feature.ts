import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { usualSecretVariable } from '../../service/signature/webhookSecret.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Provides, clicked } from '../kit/commands.ts';
import { logError } from '../kit/log.ts';
import type { Services } from '../kit/services.ts';
import { replaceByVariable } from '../kit/replaceByVariable.ts';
import { EditorGit } from './editorGit.ts';
import { findTokensCommands } from './findTokensCommand.ts';
import { type HeldNeedles, TokenLeakWatch, heldNeedles, leakCodes } from './tokenLeakWatch.ts';

/** Tokens and webhook secrets in files of the workspace: the warnings, their fixes, and the search. */
export function registerLeaks(services: Services): Provides<'leaks'> & {
  /** The path of git; undefined if there is none or it may not be run. */
  gitProgram: () => Promise<string | undefined>;
} {
  const { log } = services;
  const git = new EditorGit();
  const needles = heldNeedles(services);
  const watch = new TokenLeakWatch({ needles, git, log });
  const owned = vscode.Disposable.from(registerTokenLeakFix(needles), watch, needles, git);
  return {
    commands: () =>
      Promise.resolve({
        ...findTokensCommands({ needles, git, watch, log }),
        offerWebhookSecret: () => offerSecret(services),
      }),
    gitProgram: async () => (await git.known())?.program,
    dispose: () => void owned.dispose(),
  };
}

/** Quick fixes for leaks in a file: a token is moved to SecretStorage, if it is not there yet; a webhook secret is. */
const leakFixes = (needles: HeldNeedles): vscode.CodeActionProvider => ({
  provideCodeActions: async (document, _range, { diagnostics }) => {
    const fixes = diagnostics.map(async (diagnostic) => {
      if (diagnostic.code === leakCodes.token) return [await moveToken(document, diagnostic, needles)];
      if (diagnostic.code !== leakCodes.webhookSecret) return [];
      return [...replaceSecret(document, diagnostic), rotateSecret(diagnostic)];
    });
    return (await Promise.all(fixes)).flat();
  },
});

async function moveToken(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  needles: HeldNeedles,
): Promise<vscode.CodeAction> {
  const token = document.getText(diagnostic.range);
  // Whose another one is has to be asked.
  const title = (await needles.read()).tokens.includes(token)
    ? t('Keep the token only in the secret store')
    : t('Move the token to the secret store…');
  const action = quickFix(title, diagnostic);
  const argument = {
    uri: document.uri.toString(),
    start: document.offsetAt(diagnostic.range.start),
    end: document.offsetAt(diagnostic.range.end),
  };
  action.isPreferred = true;
  action.command = { command: commandIds.moveTokenToSecretStore, title, arguments: clicked(argument) };
  return action;
}

function replaceSecret(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
  const { edit, text } = replaceByVariable(document, diagnostic.range, usualSecretVariable);
  if (text === '') return [];
  const action = quickFix(t('Replace the secret with {0}', text), diagnostic);
  action.isPreferred = true;
  action.edit = edit;
  action.command = { command: commandIds.offerWebhookSecret, title: action.title };
  return [action];
}

/** The handler that had the secret in its file gets it from a variable: says so, with what sets it. */
function offerSecret({ prompts, log }: Services): void {
  const give = t('Give Terminals the Webhook Secret…');
  const write = t('Write Webhook Secret to .env…');
  prompts
    .tell(t('Your handler reads the secret from {0} now.', usualSecretVariable), [give, write], 'information')
    .then((picked) => {
      const { giveTerminalsWebhookSecret, writeWebhookSecret } = commandIds;
      const next = picked === give ? giveTerminalsWebhookSecret : writeWebhookSecret;
      return picked && vscode.commands.executeCommand(next);
    })
    .catch((error: unknown) => logError(log, error));
}

/** For a secret that was already committed. */
function rotateSecret(diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = t('Rotate the webhook secret');
  const action = quickFix(title, diagnostic);
  action.command = { command: commandIds.rotateWebhookSecret, title };
  return action;
}

function quickFix(title: string, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  return action;
}

/** Registers the code actions. */
function registerTokenLeakFix(needles: HeldNeedles): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, leakFixes(needles), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
