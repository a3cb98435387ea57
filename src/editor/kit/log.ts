import type * as vscode from 'vscode';
import { causeCode, failureReason } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { withoutLinks } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The log channel *Runhook*: diagnostics, never a token or a secret. */
export type Log = vscode.LogOutputChannel;

/** Logs an error, with its stack if it has one. */
export function logError(log: Log, error: unknown): void {
  log.error(error instanceof Error ? error : String(error));
}

/**
 * Converts an error to one that the user can read. A `UserError` is returned as it is, and the code of its cause is
 * logged. Any other is logged with its stack and becomes "… failed".
 * @param what what failed, as the start of a sentence: "Adding the project"
 */
export function readableError(log: Log, what: string, error: unknown): Error {
  if (error instanceof UserError) {
    const code = causeCode(error);
    if (code !== '') log.info(`${what}: ${code}`);
    return error;
  }
  logError(log, error);
  const reason = failureReason(error);
  const message =
    reason === undefined
      ? t('{0} failed. See the log of Runhook for the reason.', what)
      : t('{0} failed: {1}', what, reason);
  return new Error(withoutLinks(message), { cause: error });
}
