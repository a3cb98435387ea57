import { withoutLinks } from './plainText.ts';

/**
 * An expected error: its message is written for the user and says what happened and what to do next.
 * Whatever else is thrown is a fault of Runhook's own, is logged with its stack and shown as "… failed".
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';

  /** @param message may hold text of others: the editor, which shows it in a notification, makes no link of it */
  constructor(message: string, options?: ErrorOptions) {
    super(withoutLinks(message), options);
  }
}
