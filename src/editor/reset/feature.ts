import type { CommandsOf } from '../commands.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Erasable } from './erasable.ts';
import type { StoringParts } from './storedParts.ts';

export interface ResetFeature {
  prompts: Prompts;
  /** All that store something, in the order in which they are to let go of it. */
  stored: readonly Erasable[];
  log: Log;
}

/** *Reset Runhook*: hardly ever called, and loaded only then. */
export async function resetFeature(
  parts: Omit<ResetFeature, 'stored'> & StoringParts,
): Promise<CommandsOf<'reset'>> {
  const { resetCommands } = await import('./resetCommand.ts');
  const { storedParts } = await import('./storedParts.ts');
  return resetCommands({ ...parts, stored: storedParts(parts) });
}
