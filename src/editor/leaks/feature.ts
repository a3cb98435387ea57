import { inBackground } from '../inBackground.ts';
import type { Provides } from '../commands.ts';
import type { Log } from '../log.ts';
import { loadOnce } from '../loadOnce.ts';
import type { NeedleSources } from './search/heldNeedles.ts';

/** What looking for tokens and webhook secrets in files is made of. */
export interface LeaksFeature extends NeedleSources {
  log: Log;
}

/** Tokens and webhook secrets in files of the workspace: the warnings, their fixes, and the search. */
export function registerLeaks(feature: LeaksFeature): Provides<'leaks'> {
  const parts = loadOnce(async () => {
    const { LeakParts } = await import('./leakParts.ts');
    return new LeakParts(feature);
  });
  const loading = inBackground(parts, feature.log);
  return { commands: async () => (await parts()).commands(), dispose: () => void loading.dispose() };
}
