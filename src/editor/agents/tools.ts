import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import type { WholeDelivery } from '../../contract/delivery.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import { systemClock } from '../../shared/async/clock.ts';
import type { Project } from '../../service/projects/project.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { validate } from '../../service/settings/appSettings.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Explainer } from '../deliveries/feature.ts';
import type { Services } from '../kit/services.ts';
import type { WebhookSecrets } from '../listener/feature.ts';
import type { Projects, Tokens } from '../projects/feature.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../run/feature.ts';
import { type ChangeTools, type ChangeToolsParts, changeTools } from './changeTools.ts';
import { type GuardedTool, type Tool, type ToolSet, languageModelTool } from './tool.ts';
import { type AgentToolName, toldDelivery } from '../../agents/toolValues.ts';

/** What the tools call. */
interface ToolServices extends Services {
  explainer: Explainer;
  /** The settings of an app that are assumed to be in force. */
  known: ChangeToolsParts['known'];
}

/** All tools, as the editor calls them. */
export type Tools = Record<AgentToolName, GuardedTool>;

export function tools(services: ToolServices): Tools {
  const guard = { held: () => heldValues(services), log: services.log };
  const all: ToolSet = {
    ...readTools(services),
    ...changeTools(services),
    waitForDelivery: waitTool({ ...services, clock: systemClock }),
  };
  const made = (Object.keys(all) as AgentToolName[]).map((name) => [
    name,
    languageModelTool(name, all, guard),
  ]);
  return Object.fromEntries(made) as Tools;
}

/** How many deliveries a model gets if it gives no limit. */
const defaultLimit = 20;

/** What the read-only tools need. */
interface ReadToolsParts {
  projects: Pick<Projects, 'all'>;
  explainer: Pick<Explainer, 'delivery'>;
}

type ReadTools = Omit<ToolSet, keyof ChangeTools | 'waitForDelivery'>;

/** The read-only tools. */
function readTools({ projects, explainer }: ReadToolsParts): ReadTools {
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
        return (await vscode.commands.executeCommand<WholeDelivery[]>(listDeliveries, { limit })).map(
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

/** Where tokens and secrets are held. */
interface HeldParts {
  projects: { all(): readonly Project[] };
  tokens: Pick<Tokens, 'values'>;
  secrets: Pick<WebhookSecrets, 'store'>;
}

/** A value shorter than this, in characters, may also be the name of a project. */
const shortLength = 8;

/**
 * Every token and webhook secret that is held, including those that were replaced or asked for once. Leaves out a
 * short one that occurs in the id or name of a project, account or app: it is in the settings in plain text, and the
 * tools take these ids.
 * @throws UserError if one of them cannot be read, since nothing can be masked then
 */
export async function heldValues({ projects, tokens, secrets }: HeldParts): Promise<string[]> {
  try {
    const [ofTokens, store] = await Promise.all([tokens.values(), secrets.store()]);
    const named = namesOf(projects.all());
    return [...ofTokens, ...(await store.texts())].filter(
      (value) => value.length >= shortLength || new SecretMask([value]).text(named) === named,
    );
  } catch (error) {
    throw new UserError(
      t(
        'The secret store of the editor cannot be read, so secrets cannot be hidden from a language model: {0}',
        failureText(error),
      ),
      { cause: error },
    );
  }
}

function namesOf(projects: readonly Project[]): string {
  return projects
    .flatMap((project) => [project, ...project.serviceAccounts, ...project.apps])
    .flatMap(({ id, name = '' }) => [id, name])
    .join('\n');
}
