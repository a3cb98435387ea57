import { commandIds } from '../ids.ts';
import type { StoringParts } from './storedParts.ts';
import type { ResetFeature } from './resetCommand.ts';

/** *Reset Runhook*: hardly ever called, and loaded only then. */
export function registerReset(feature: Omit<ResetFeature, 'stored'> & StoringParts): void {
  feature.commands.registerLazily([commandIds.reset], async () => {
    const { registerResetCommand } = await import('./resetCommand.ts');
    const { storedParts } = await import('./storedParts.ts');
    return () => registerResetCommand({ ...feature, stored: storedParts(feature) });
  });
}
