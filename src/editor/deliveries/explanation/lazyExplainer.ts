import type * as vscode from 'vscode';
import type { Listener } from '../../listener/feature.ts';
import { loadOnce } from '../../../model/async/loadOnce.ts';
import type { Explainer } from './explainer.ts';

/** What explains deliveries and pasted requests. */
export type Explains = Pick<Explainer, 'delivery' | 'request'>;

/** The explainer, loaded when it is first asked. */
export function lazyExplainer(context: vscode.ExtensionContext, listener: Listener): Explains {
  const load = loadOnce(async () => {
    const explainer = new (await import('./explainer.ts')).Explainer(context, listener);
    context.subscriptions.push(explainer);
    return explainer;
  });
  return {
    delivery: async (...asked) => (await load()).delivery(...asked),
    request: async (...asked) => (await load()).request(...asked),
  };
}
