import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';

/** @throws UserError while the workspace is not trusted: its programs and files do not get the webhook secret */
export function requireTrust(): void {
  // guard: it is handed over in a trusted workspace alone
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    t('The webhook secret is not handed over, because this workspace is not trusted. Trust it first.'),
    { remedies: [{ kind: 'manageTrust' }] },
  );
}
