import * as vscode from 'vscode';
import { validate } from '../../model/settings/appSettings.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { maskJson, maskSecrets } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Project } from '../../model/projects/project.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Tool } from './tool.ts';

/** How many deliveries a model gets where it does not say. */
const usual = 20;

/** What the tools that only look, look at. */
export interface ReadToolsParts {
  projects: { all(): Project[] };
  listener: Pick<Listener, 'get'>;
  explainer: Pick<Explainer, 'delivery'>;
}

export function listProjects({ projects }: ReadToolsParts): Tool<'listProjects'> {
  return {
    name: 'listProjects',
    progress: () => t('Listing the projects'),
    run: () => projects.all(),
  };
}

export function listKeys(): Tool<'listKeys'> {
  return {
    name: 'listKeys',
    progress: ({ serviceAccountId }) => t('Listing the keys of {0}', plainText(serviceAccountId)),
    run: (account) => vscode.commands.executeCommand(commandIds.listKeys, account),
  };
}

export function validateSettings(): Tool<'validateSettings'> {
  return {
    name: 'validateSettings',
    progress: () => t('Checking app settings'),
    run: ({ settings }) => {
      const result = validate(settings);
      if (result.ok) return result;
      const problems = result.problems.map((one) => ({ field: one.field, problem: one.text }));
      return { ok: false, problems };
    },
  };
}

export function listDeliveries(): Tool<'listDeliveries'> {
  return {
    name: 'listDeliveries',
    progress: () => t('Listing the deliveries'),
    run: async ({ limit = usual }) => {
      const { listDeliveries: command } = commandIds;
      return (await vscode.commands.executeCommand<Delivery[]>(command, { limit })).map(shown);
    },
  };
}

export function explainDelivery({ explainer }: ReadToolsParts): Tool<'explainDelivery'> {
  return {
    name: 'explainDelivery',
    progress: () => t('Explaining a delivery'),
    // Not the command: it would open a document before the user.
    run: async ({ id }, signal) => (await explainer.delivery(id, signal)).text,
  };
}

/** A delivery for the eyes of a model: without what looks like a token or secret, though nobody holds it. */
function shown({ headers, ...delivery }: Delivery): object {
  const { path, body, forward } = delivery;
  return {
    ...delivery,
    path: maskSecrets(path),
    headers: maskJson(headers),
    body: maskSecrets(body),
    ...(forward && { forward: maskJson(forward) }),
  };
}
