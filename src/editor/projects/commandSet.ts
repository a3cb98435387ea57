import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { LazyView } from '../activation/lazyView.ts';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds, viewIds } from '../ids.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { ApiKeysPage } from './keys/apiKeysPage.ts';
import { keyCommands } from './keys/keyCommands.ts';
import { RawKeys } from './keys/rawKeys.ts';
import { projectAddressCommands } from './projectAddresses.ts';
import { addCommands, changeCommands } from './projectCommands.ts';
import { NewEntries } from './questions/newEntries.ts';
import { ProjectQuestions } from './questions/projectQuestions.ts';
import { moveTokenCommands } from './tokens/moveTokenCommand.ts';
import { TokenCheck } from './tokens/tokenCheck.ts';
import { tokenCommands } from './tokens/tokenCommands.ts';
import type { ProjectNode } from './tree/projectNode.ts';
import type { ProjectSources } from './tree/projectNodes.ts';
import type { ProjectsTree } from './tree/projectsTree.ts';
import { viewCommands } from './viewCommands.ts';

/** What the Projects view and its commands need. */
export interface ProjectsFeature extends Omit<ProjectSources, 'keyLists' | 'now'> {
  context: vscode.ExtensionContext;
  rows: LazyView<ProjectNode>;
  prompts: Prompts;
  transport: Transport;
}

/** All commands about projects, service accounts, tokens and keys. Loaded when the first one runs. */
export function commandSet(
  feature: ProjectsFeature & ProjectSources,
  tree: ProjectsTree,
): CommandsOf<'projects'> {
  const { projects, tokens, prompts, context, keyLists } = feature;
  const questions = new ProjectQuestions(projects, prompts);
  const check = new TokenCheck(keyLists, async (service, { projectId, serviceAccountId }) =>
    projects.hasToken(projectId, serviceAccountId, service),
  );
  const newEntries = new NewEntries(projects, questions, check);
  const parts = { ...feature, questions, newEntries, check };
  const open = (uri: vscode.Uri) => vscode.env.openExternal(uri);
  const page = new ApiKeysPage({ prompts, state: context.workspaceState, open });
  const rawKeys = new RawKeys();
  context.subscriptions.push(rawKeys);
  return {
    ...addCommands(parts),
    ...changeCommands(parts),
    ...projectAddressCommands(projects, questions),
    ...tokenCommands(parts),
    [commandIds.openApiKeysPage]: command(v.object({}), () => page.open()),
    ...moveTokenCommands(projects, tokens, questions),
    ...keyCommands(keyLists, questions, async (ref, { focus }) => {
      if (focus) await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
      const node = tree.accountNode(ref);
      if (node !== undefined) await feature.rows.view.reveal(node, { expand: true, select: focus });
    }),
    ...viewCommands(tree, keyLists, questions, rawKeys, feature.rows.view),
  };
}
