import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandIds, viewIds } from '../ids.ts';
import { ApiKeysPage } from './keys/apiKeysPage.ts';
import { registerKeyCommands } from './keys/keyCommands.ts';
import type { KeyLists } from './keys/keyLists.ts';
import { registerMoveToken } from './tokens/moveTokenCommand.ts';
import { registerProjectAddresses } from './projectAddresses.ts';
import { registerAddCommands, registerChangeCommands } from './projectCommands.ts';
import { NewEntries } from './questions/newEntries.ts';
import { ProjectQuestions } from './questions/projectQuestions.ts';
import type { ProjectNode } from './tree/projectNode.ts';
import type { ProjectsTree } from './tree/projectsTree.ts';
import { RawKeys } from './keys/rawKeys.ts';
import { TokenCheck } from './tokens/tokenCheck.ts';
import { registerTokenCommands } from './tokens/tokenCommands.ts';
import { registerViewCommands } from './viewCommands.ts';
import type { Transport } from '../../client/transport.ts';
import type { Commands } from '../commands.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { AppChildren } from './tree/appChildren.ts';
import type { ProjectSecrets } from './ownSecrets.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { ViewLines } from './tree/viewLines.ts';

/** What the Projects view is made of. */
export interface ProjectsFeature {
  context: vscode.ExtensionContext;
  projects: Projects;
  tokens: Tokens;
  secrets: ProjectSecrets;
  commands: Commands;
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
export function registerCommandSet(feature: ProjectsFeature, shared: ProjectsView): void {
  const { projects, tokens, secrets, commands } = feature;
  const { tree, view, keyLists } = shared;
  const questions = new ProjectQuestions(projects, feature.prompts);
  const check = new TokenCheck(keyLists);
  const newEntries = new NewEntries(projects, questions, check);
  const parts = { commands, projects, secrets, keyLists, questions, newEntries, check };
  registerAddCommands(parts);
  registerChangeCommands(parts);
  registerProjectAddresses(commands, projects, questions);
  registerTokenCommands({ ...parts, tokens });
  const { prompts, context } = feature;
  const open = (uri: vscode.Uri) => vscode.env.openExternal(uri);
  const page = new ApiKeysPage({ prompts, state: context.workspaceState, open });
  commands.register(commandIds.openApiKeysPage, v.object({}), () => page.open());
  registerMoveToken(commands, projects, tokens, questions);
  registerKeyCommands(commands, keyLists, questions, async (ref, { focus }) => {
    if (focus) await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
    const node = tree.accountNode(ref);
    if (node !== undefined) await view.reveal(node, { expand: true, select: focus });
  });
  const rawKeys = new RawKeys();
  feature.context.subscriptions.push(rawKeys);
  registerViewCommands(commands, tree, keyLists, questions, rawKeys);
}
