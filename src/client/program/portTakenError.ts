import { UserError } from '../../model/text/userError.ts';

/** Another program listens on the port. */
export class PortTakenError extends UserError {
  override readonly name = 'PortTakenError';
  readonly port: number;

  constructor(message: string, port: number) {
    super(message);
    this.port = port;
  }
}
