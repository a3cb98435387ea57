import { UserError } from '../../model/text/userError.ts';
import { runSandbox } from '../../sandbox/sandboxProgram.ts';
import { failed } from '../failed.ts';
import { untilAsked } from '../untilAsked.ts';
import { UsageError } from '../options/usageError.ts';

/** `runhook sandbox`: the whole service on loopback, until it is ended. */
export async function sandboxCommand(args: readonly string[]): Promise<number> {
  try {
    await runSandbox(args, untilAsked);
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw failed('The sandbox cannot serve', error);
  }
  return 0;
}
