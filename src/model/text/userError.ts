import { withoutLinks } from './plainText.ts';
import type { Again, Remedy } from './remedy.ts';

export interface UserErrorOptions extends ErrorOptions {
  remedies?: readonly Remedy[];
  /** What a message with buttons says: what to do next is on them. */
  brief?: string;
}

/**
 * An expected error: its message is written for the user and says what happened and what to do next.
 * Whatever else is thrown is a fault of Runhook's own, is logged with its stack and shown as "… failed".
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** What mends it, the likeliest first. */
  remedies: readonly Remedy[];
  readonly brief: string | undefined;
  /** How the call goes on once it is mended; the whole command runs again where this is absent. */
  again: Again | undefined;

  /** @param message may hold text of others: the editor, which shows it in a notification, makes no link of it */
  constructor(message: string, { remedies = [], brief, ...options }: UserErrorOptions = {}) {
    super(withoutLinks(message), options);
    this.remedies = remedies;
    this.brief = brief === undefined ? undefined : withoutLinks(brief);
  }
}

/** Has what was caught say how it is mended, where it is an expected error that does not say so itself. */
export function mendedBy(error: unknown, remedies: readonly Remedy[], again?: Again): unknown {
  if (error instanceof UserError) {
    if (error.remedies.length === 0) error.remedies = remedies;
    error.again ??= again;
  }
  return error;
}
