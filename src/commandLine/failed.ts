import { failureReason } from '../model/service/failureReason.ts';
import { oneLine } from '../model/text/oneLine.ts';
import { UserError } from '../model/text/userError.ts';

/** An error that says in a sentence what failed and why. @param what without a full stop */
export function failed(what: string, error: unknown): UserError {
  return new UserError(`${what}: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: unknown): string {
  const reason = failureReason(error) ?? (error instanceof Error ? error.message : String(error));
  const line = oneLine(reason);
  return line.endsWith('.') ? line : `${line}.`;
}
