import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { LeakPlace } from '../../leaks/leakSearch.ts';

/** The codes of the diagnostics on a token, and on a webhook secret, in a file. */
export const leakCodes = { token: 'token-in-file', webhookSecret: 'webhook-secret-in-file' } as const;

/** The warning about a token or webhook secret in a file. It does not contain the value. */
export function leakDiagnostic({ kind, start, end }: LeakPlace): vscode.Diagnostic {
  const message =
    kind === 'token'
      ? t(
          'This is a token of a service account, and git does not ignore this file. Move it to the secret store before it is committed.',
        )
      : t(
          'This is a webhook secret, and git does not ignore this file. Whoever has it can forge deliveries: read it from an environment variable.',
        );
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const found = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  found.source = 'Runhook';
  found.code = leakCodes[kind];
  return found;
}
