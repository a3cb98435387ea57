import type { CommandsOf } from '../commands.ts';
import type { ResetFeature } from './resetCommand.ts';
import type { StoringParts } from './storedParts.ts';

/** *Reset Runhook*: hardly ever called, and loaded only then. */
export async function resetFeature(
  parts: Omit<ResetFeature, 'stored'> & StoringParts,
): Promise<CommandsOf<'reset'>> {
  const { resetCommands } = await import('./resetCommand.ts');
  const { storedParts } = await import('./storedParts.ts');
  return resetCommands({ ...parts, stored: storedParts(parts) });
}
