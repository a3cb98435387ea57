import type * as vscode from 'vscode';
import { afterActivation } from '../afterActivation.ts';
import { commandIds } from '../ids.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { LeaksFeature } from './leakParts.ts';

/** Tokens and webhook secrets in files of the workspace: the warnings, their fixes, and the search. */
export function registerLeaks(feature: LeaksFeature): vscode.Disposable {
  const parts = loadOnce(async () => {
    const { LeakParts } = await import('./leakParts.ts');
    return new LeakParts(feature);
  });
  feature.commands.registerLazily([commandIds.findTokens], async () => {
    const loaded = await parts();
    return () => loaded.registerCommand();
  });
  return afterActivation(parts, feature.log);
}
