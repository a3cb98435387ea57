import { UserError } from '../../model/text/userError.ts';

/** A tunnel program that could not open its tunnel. */
export class TunnelError extends UserError {
  override readonly name = 'TunnelError';
  /** Whether starting it again would not help. */
  readonly final: boolean;

  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}
