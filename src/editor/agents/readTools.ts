import * as vscode from 'vscode';
import { toldDelivery } from '../../model/agents/toldDelivery.ts';
import { validate } from '../../model/settings/appSettings.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { commandIds } from '../ids.ts';
import type { Projects } from '../projects/feature.ts';
import type { ChangeTools } from './changeTools.ts';
import type { ToolSet } from './tool.ts';

/** How many deliveries a model gets if it gives no limit. */
const defaultLimit = 20;

/** What the read-only tools need. */
export interface ReadToolsParts {
  projects: Pick<Projects, 'all'>;
  explainer: Pick<Explainer, 'delivery'>;
}

export type ReadTools = Omit<ToolSet, keyof ChangeTools | 'waitForDelivery'>;

/** The read-only tools. */
export function readTools({ projects, explainer }: ReadToolsParts): ReadTools {
  return {
    listProjects: {
      progress: () => t('Listing the projects'),
      run: () => projects.all(),
    },
    listKeys: {
      progress: ({ serviceAccountId }) => t('Listing the keys of {0}', plainText(serviceAccountId)),
      run: (account) => vscode.commands.executeCommand(commandIds.listKeys, account),
    },
    validateSettings: {
      progress: () => t('Checking app settings'),
      run: ({ settings }) => {
        const result = validate(settings);
        if (result.ok) return result;
        const problems = result.problems.map((one) => ({ field: one.field, problem: one.text }));
        return { ok: false, problems };
      },
    },
    listDeliveries: {
      progress: () => t('Listing the deliveries'),
      run: async ({ limit = defaultLimit }) => {
        const { listDeliveries } = commandIds;
        return (await vscode.commands.executeCommand<Delivery[]>(listDeliveries, { limit })).map(
          toldDelivery,
        );
      },
    },
    explainDelivery: {
      progress: () => t('Explaining a delivery'),
      // Not the command, which would open a document in the editor.
      run: async ({ id }, signal) => (await explainer.delivery(id, signal)).text,
    },
  };
}
