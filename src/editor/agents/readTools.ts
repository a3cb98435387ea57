import * as vscode from 'vscode';
import { problemText, validate } from '../../model/appSettings.ts';
import type { Delivery } from '../../model/delivery.ts';
import { maskJson, maskSecrets } from '../../model/masking.ts';
import type { Project } from '../../model/project.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/listener.ts';
import { registerTool } from './tool.ts';

/** How many deliveries a model gets where it does not say. */
const usual = 20;

/** The tools that only look. */
export function registerReadTools(
  projects: { all(): Project[] },
  listener: Pick<Listener, 'get' | 'secrets'>,
): vscode.Disposable {
  const { t } = vscode.l10n;
  return vscode.Disposable.from(
    registerTool({
      name: 'listProjects',
      progress: () => t('Listing the projects'),
      run: () => projects.all(),
    }),
    registerTool({
      name: 'listKeys',
      progress: ({ serviceAccountId }) => t('Listing the keys of {0}', serviceAccountId),
      run: (account) => vscode.commands.executeCommand(commandIds.listKeys, account),
    }),
    registerTool({
      name: 'validateSettings',
      progress: () => t('Checking app settings'),
      run: ({ settings }) => {
        const result = validate(settings);
        if (result.ok) return result;
        const problems = result.problems.map((one) => ({ field: one.field, problem: problemText(one, t) }));
        return { ok: false, problems };
      },
    }),
    registerTool({
      name: 'listDeliveries',
      progress: () => t('Listing the deliveries'),
      run: async ({ limit = usual }) => {
        const { listDeliveries } = commandIds;
        return (await vscode.commands.executeCommand<Delivery[]>(listDeliveries, { limit })).map(shown);
      },
    }),
    registerTool({
      name: 'explainDelivery',
      progress: () => t('Explaining a delivery'),
      // Not the command: it would open a document before the user.
      run: async ({ id }) => {
        const { explainDelivery } = await import('../deliveries/explainDelivery.ts');
        return explainDelivery(await listener.get(id), await listener.secrets());
      },
    }),
  );
}

/** A delivery for the eyes of a model: an app may have echoed the token that it was called with. */
function shown(delivery: Delivery): object {
  return { ...delivery, headers: maskJson(delivery.headers), body: maskSecrets(delivery.body) };
}
