import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Commands } from '../commands.ts';
import { onConfigChange } from '../config.ts';
import { settingIds, viewIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { registerKeyCommands } from './keyCommands.ts';
import { KeyLists } from './keyLists.ts';
import { registerProjectCommands } from './projectCommands.ts';
import { ProjectItems } from './projectItems.ts';
import { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import { ProjectsTree } from './projectsTree.ts';
import { registerTokenCommands } from './tokenCommands.ts';
import { TokenQuestions } from './tokenQuestions.ts';
import type { Tokens } from './tokens.ts';
import { registerViewCommands } from './viewCommands.ts';

/** What the Projects view is made of. */
export interface ProjectsFeature {
  projects: Projects;
  tokens: Tokens;
  commands: Commands;
  prompts: Prompts;
  transport: Transport;
  userAgent: string;
  log: Log;
}

/** The Projects view and its commands. */
export function registerProjects(feature: ProjectsFeature): vscode.Disposable {
  const { projects, tokens, commands, prompts } = feature;
  const keyLists = new KeyLists(projects, feature.transport, feature.userAgent, feature.log);
  const tree = new ProjectsTree(projects, tokens, keyLists, new ProjectItems(Date.now));
  const view = vscode.window.createTreeView(viewIds.projects, {
    treeDataProvider: tree,
    showCollapseAll: true,
  });

  const questions = new ProjectQuestions(projects, prompts);
  const tokenQuestions = new TokenQuestions(projects, questions, prompts);
  registerProjectCommands(commands, projects, questions, tokenQuestions);
  registerTokenCommands(commands, projects, tokens, keyLists, questions, tokenQuestions);
  registerKeyCommands(commands, keyLists, questions);
  registerViewCommands(commands, tree, keyLists, questions);

  return vscode.Disposable.from(
    view,
    tree,
    keyLists,
    onConfigChange([settingIds.keysExpiryWarningDays], () => tree.redraw()),
  );
}
