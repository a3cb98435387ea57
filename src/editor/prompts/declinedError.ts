import { UserError } from '../../model/text/userError.ts';

/** The user was asked and declined. Whoever called hears it; it is not shown to the one who declined. */
export class DeclinedError extends UserError {
  override readonly name = 'DeclinedError';
}
