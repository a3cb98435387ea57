import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';
import type { TokenPlace } from './moveTokenCommand.ts';
import { tokenLeakCode } from './tokenLeakWatch.ts';

/** Offers to move a token from a file to SecretStorage. */
class TokenLeakActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics
      .filter(({ code }) => code === tokenLeakCode)
      .map((diagnostic) => {
        const title = vscode.l10n.t('Move the token to the secret store');
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        const argument: TokenPlace = {
          uri: document.uri.toString(),
          start: document.offsetAt(diagnostic.range.start),
          end: document.offsetAt(diagnostic.range.end),
        };
        action.diagnostics = [diagnostic];
        action.isPreferred = true;
        action.command = { command: commandIds.moveTokenToSecretStore, title, arguments: [{ argument }] };
        return action;
      });
  }
}

/** Registers the code action. */
export function registerTokenLeakFix(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new TokenLeakActions(), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
