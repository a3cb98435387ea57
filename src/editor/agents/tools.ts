import * as vscode from 'vscode';
import { systemClock } from '../../model/processes/clock.ts';
import { type ToolName, toldDelivery } from './toolValues.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../run/feature.ts';
import { type ChangeTools, type ChangeToolsParts, changeTools } from './changeTools.ts';
import { heldValues } from './heldValues.ts';
import { type Tool, type ToolSet, languageModelTool } from './tool.ts';
import { validate } from '../../model/settings/appSettings.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { commandIds } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import type { Projects } from '../projects/feature.ts';

/** What the tools call. */
export interface ToolServices extends Services {
  explainer: Explainer;
  /** The settings of an app that are assumed to be in force. */
  known: ChangeToolsParts['known'];
}

/** All tools, as the editor calls them. */
export type Tools = Record<ToolName, vscode.LanguageModelTool<unknown>>;

export function tools(services: ToolServices): Tools {
  const guard = { held: () => heldValues(services), log: services.log };
  const all: ToolSet = {
    ...readTools(services),
    ...changeTools(services),
    waitForDelivery: waitTool({ ...services, clock: systemClock }),
  };
  const made = (Object.keys(all) as ToolName[]).map((name) => [name, languageModelTool(name, all, guard)]);
  return Object.fromEntries(made) as Tools;
}

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

/** How long it waits if a model gives no timeout, in seconds. */
const defaultSeconds = 60;

/** Waits for the delivery of a run, and ends as soon as it has arrived or can no longer arrive. */
export function waitTool(parts: DeliveryWaitParts): Tool<'waitForDelivery'> {
  return {
    progress: ({ runId }) => t('Waiting for the delivery of {0}', plainText(runId)),
    run: async ({ runId, timeoutSeconds = defaultSeconds }, signal) => {
      const result = await waitForDelivery(parts, runId, timeoutSeconds, signal);
      return 'notDelivered' in result ? result : toldDelivery(result);
    },
  };
}
