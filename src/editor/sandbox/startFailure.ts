import * as vscode from 'vscode';
import { UserError } from '../../model/userError.ts';

/** Why the sandbox did not start, in words where the port is the cause; else the error as it is. */
export function startFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new UserError(
      vscode.l10n.t('The sandbox cannot start: port {0} is in use. Choose another, or 0 for any.', port),
    );
  }
  if (code === 'EACCES') {
    return new UserError(
      vscode.l10n.t(
        'The sandbox cannot start: port {0} may not be used. Choose another, or 0 for any.',
        port,
      ),
    );
  }
  return error;
}
