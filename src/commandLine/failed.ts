import { causeCode, failureReason } from '../shared/http/failureReason.ts';
import { oneLine } from '../shared/text/plainText.ts';
import { UserError } from '../shared/text/userError.ts';

/** An error that says in a sentence what failed and why. @param what without a full stop */
export function failed(what: string, error: unknown): UserError {
  return new UserError(`${what}: ${reasonOf(error)}`, { cause: error });
}

/** The same for a program that cannot listen on a port. */
export function noPort(what: string, error: unknown): UserError {
  const { message } = failed(what, error);
  const isTaken = causeCode(error) === 'EADDRINUSE';
  return new UserError(isTaken ? `${message} Choose another with --port.` : message, { cause: error });
}

function reasonOf(error: unknown): string {
  const line = oneLine(failureReason(error) ?? messageOf(error));
  return line.endsWith('.') ? line : `${line}.`;
}

/** The message of an error, without the path that an error of the file system repeats: it may be a secret by mistake. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, message } = error as NodeJS.ErrnoException;
  // guard S122: Arguments that do not fit are never repeated: they may be secrets.
  return syscall === undefined ? message : (message.split(`, ${syscall}`)[0] ?? message);
}
