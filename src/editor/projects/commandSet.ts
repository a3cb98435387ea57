import * as v from 'valibot';
import * as vscode from 'vscode';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds, viewIds } from '../ids.ts';
import { ApiKeysPage } from './keys/apiKeysPage.ts';
import type { Transport } from '../../client/transport.ts';
import type { LazyView } from '../activation/lazyView.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { AppChildren } from './tree/appChildren.ts';
import type { ProjectSecrets } from './ownSecrets.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { ViewLines } from './tree/viewLines.ts';
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

/** What the Projects view is made of. */
export interface ProjectsFeature {
  context: vscode.ExtensionContext;
  rows: LazyView<ProjectNode>;
  projects: Projects;
  tokens: Tokens;
  secrets: ProjectSecrets;
  prompts: Prompts;
  transport: Transport;
  /** What is shown under each app. */
  appChildren: AppChildren;
  /** What is shown below the projects. */
  lines: ViewLines;
  log: Log;
}

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
