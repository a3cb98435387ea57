import { UserError } from '../../model/text/userError.ts';

/** Arguments that do not fit: the program ends with 2, and says how it is used. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}
