import { UserError } from '../../shared/text/userError.ts';
import { runSandbox } from '../../service/sandbox/sandboxProgram.ts';
import { noPort } from '../failed.ts';
import { UsageError } from '../options/readArguments.ts';
import { printJson, printNote, printWhatIsRead, untilInterrupted } from '../print.ts';

/** `runhook sandbox`: runs the whole service on loopback until it is interrupted. */
export async function sandboxCommand(args: readonly string[]): Promise<number> {
  try {
    printWhatIsRead();
    await runSandbox(args, { ended: untilInterrupted, printJson, log: printNote });
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw noPort('The sandbox cannot serve', error);
  }
  return 0;
}
