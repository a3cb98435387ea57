import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Erasable } from './erasable.ts';
import type { StoringParts } from './storedParts.ts';

export interface ResetFeature {
  commands: Commands;
  prompts: Prompts;
  /** All that store something, in the order in which they are to let go of it. */
  stored: readonly Erasable[];
  log: Log;
}

/** *Reset Runhook*: hardly ever called, and loaded only then. */
export function registerReset(feature: Omit<ResetFeature, 'stored'> & StoringParts): void {
  feature.commands.registerLazily([commandIds.reset], async () => {
    const { registerResetCommand } = await import('./resetCommand.ts');
    const { storedParts } = await import('./storedParts.ts');
    return () => registerResetCommand({ ...feature, stored: storedParts(feature) });
  });
}
