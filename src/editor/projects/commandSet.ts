import * as v from 'valibot';
import * as vscode from 'vscode';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds, viewIds } from '../ids.ts';
import { ApiKeysPage } from './keys/apiKeysPage.ts';
import type { ProjectsFeature } from './feature.ts';
import { keyCommands } from './keys/keyCommands.ts';
import type { KeyLists } from './keys/keyLists.ts';
import { moveTokenCommands } from './tokens/moveTokenCommand.ts';
import { projectAddressCommands } from './projectAddresses.ts';
import { addCommands, changeCommands } from './projectCommands.ts';
import { NewEntries } from './questions/newEntries.ts';
import { TokenCheck } from './tokens/tokenCheck.ts';
import { ProjectQuestions } from './questions/projectQuestions.ts';
import type { ProjectNode } from './tree/projectNode.ts';
import type { ProjectsTree } from './tree/projectsTree.ts';
import { RawKeys } from './keys/rawKeys.ts';
import { tokenCommands } from './tokens/tokenCommands.ts';
import { viewCommands } from './viewCommands.ts';

/** What the commands share with the view. */
export interface ProjectsView {
  tree: ProjectsTree;
  view: vscode.TreeView<ProjectNode>;
  keyLists: KeyLists;
}

/** All commands about projects, service accounts, tokens and keys. Loaded with the first of them. */
export function commandSet(feature: ProjectsFeature, shared: ProjectsView): CommandsOf<'projects'> {
  const { projects, tokens, secrets, prompts, context } = feature;
  const { tree, view, keyLists } = shared;
  const questions = new ProjectQuestions(projects, prompts);
  const check = new TokenCheck(keyLists);
  const newEntries = new NewEntries(projects, questions, check);
  const parts = { projects, secrets, keyLists, questions, newEntries, check };
  const open = (uri: vscode.Uri) => vscode.env.openExternal(uri);
  const page = new ApiKeysPage({ prompts, state: context.workspaceState, open });
  const rawKeys = new RawKeys();
  context.subscriptions.push(rawKeys);
  return {
    ...addCommands(parts),
    ...changeCommands(parts),
    ...projectAddressCommands(projects, questions),
    ...tokenCommands({ ...parts, tokens }),
    [commandIds.openApiKeysPage]: command(v.object({}), () => page.open()),
    ...moveTokenCommands(projects, tokens, questions),
    ...keyCommands(keyLists, questions, async (ref, { focus }) => {
      if (focus) await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
      const node = tree.accountNode(ref);
      if (node !== undefined) await view.reveal(node, { expand: true, select: focus });
    }),
    ...viewCommands(tree, keyLists, questions, rawKeys),
  };
}
