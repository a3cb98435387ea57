import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/** @throws UserError with this message while the workspace is not trusted. It offers to manage that. */
export function requireTrust(message: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(message, { remedies: [{ kind: 'manageTrust' }] });
}

/** @throws UserError while the workspace is not trusted: its programs and files do not get the webhook secret */
export function requireTrustForSecret(): void {
  // guard S60: The secret is handed over in a trusted workspace only.
  requireTrust(
    t('The webhook secret is not given out, because this workspace is not trusted. Trust it first.'),
  );
}

/** @throws UserError while the workspace is not trusted: no file of it is signed with the webhook secret, or sent */
export function requireTrustForFixtures(): void {
  // guard S64: No fixture is signed or sent while the workspace is not trusted.
  requireTrust(t('Fixtures are not signed or sent, because this workspace is not trusted. Trust it first.'));
}
