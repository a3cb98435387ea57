import { withoutLinks } from './plainText.ts';
import type { Again, Remedy } from './remedy.ts';

export interface UserErrorOptions extends ErrorOptions {
  remedies?: readonly Remedy[];
  /** The text of a message with buttons. It leaves out what to do next, since that is on the buttons. */
  brief?: string;
}

/**
 * An expected error: its message is written for the user and says what happened and what to do next.
 * Any other error is a bug in Runhook: it is logged with its stack and shown as "… failed".
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** Actions that fix the error, the likeliest first. */
  remedies: readonly Remedy[];
  readonly brief: string | undefined;
  /** Continues the call once the error is fixed. If absent, the whole command runs again. */
  again: Again | undefined;

  /** @param message may contain text of others. Its links are disabled, as it is shown in a notification */
  constructor(message: string, { remedies = [], brief, ...options }: UserErrorOptions = {}) {
    super(withoutLinks(message), options);
    this.remedies = remedies;
    this.brief = brief === undefined ? undefined : withoutLinks(brief);
  }
}

/** Adds remedies to a caught error, if it is an expected error that has none of its own. @returns the error */
export function mendedBy(error: unknown, remedies: readonly Remedy[], again?: Again): unknown {
  if (error instanceof UserError) {
    if (error.remedies.length === 0) error.remedies = remedies;
    error.again ??= again;
  }
  return error;
}
