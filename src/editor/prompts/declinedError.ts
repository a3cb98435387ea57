import { UserError } from '../../model/text/userError.ts';

/** The user declined a question. The caller gets the error, but it is not shown to the user. */
export class DeclinedError extends UserError {
  override readonly name = 'DeclinedError';
}
