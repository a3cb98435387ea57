import { UserError } from '../../model/text/userError.ts';
import { readSandboxArguments, runSandbox, type SandboxArguments } from '../../sandbox/sandboxProgram.ts';
import { failed } from '../failed.ts';
import { untilAsked } from '../untilAsked.ts';
import { UsageError } from '../options/usageError.ts';

/** `runhook sandbox`: the whole service on loopback, until it is ended. */
export async function sandboxCommand(args: readonly string[]): Promise<number> {
  const given = argumentsOf(args);
  try {
    await runSandbox(given, untilAsked);
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw failed('The sandbox cannot serve', error);
  }
  return 0;
}

function argumentsOf(args: readonly string[]): SandboxArguments {
  try {
    return readSandboxArguments(args);
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
