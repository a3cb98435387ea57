import { inBackground } from '../inBackground.ts';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Services } from '../kit/services.ts';
import type { Leaks } from './startLeaks.ts';

/** Tokens and webhook secrets in files of the workspace: the warnings, their fixes, and the search. */
export function registerLeaks(services: Services): Provides<'leaks'> & Pick<Leaks, 'gitProgram'> {
  const parts = loadOnce(async () => {
    const { startLeaks } = await import('./startLeaks.ts');
    return startLeaks(services);
  });
  const loading = inBackground(parts, services.log);
  return {
    commands: async () => (await parts()).commands,
    gitProgram: async () => (await parts()).gitProgram(),
    dispose: () => void loading.dispose(),
  };
}
