import * as vscode from 'vscode';
import { inBackground } from '../inBackground.ts';
import type { Provides } from '../commands.ts';
import { viewIds } from '../ids.ts';
import { userAgent } from '../transport.ts';
import { KeyLists } from './keys/keyLists.ts';
import { KnownKeysStore } from './keys/knownKeysStore.ts';
import { OwnSecrets } from './ownSecrets.ts';
import type { ProjectQuestions } from './questions/projectQuestions.ts';
import type { ProjectsFeature } from './commandSet.ts';
import { ProjectsTree } from './tree/projectsTree.ts';
import { registerStaleKeys } from './keys/staleKeys.ts';
import { ViewProgress } from './tree/viewProgress.ts';

export type { Access, Projects } from './projects.ts';
export type { Tokens } from './tokens/tokens.ts';
export type { ViewLines } from './tree/viewLines.ts';
export type { TransientProject } from './transientProjects.ts';
export type { AppChild, AppChildren, AppRef } from './tree/appChildren.ts';
export type { ProjectQuestions } from './questions/projectQuestions.ts';

/** What asks for projects, accounts, apps and tokens, for the commands of other features. Loaded with the first question. */
export async function loadQuestions({
  projects,
  prompts,
}: Pick<ProjectsFeature, 'projects' | 'prompts'>): Promise<ProjectQuestions> {
  const { ProjectQuestions } = await import('./questions/projectQuestions.ts');
  return new ProjectQuestions(projects, prompts);
}

/** The Projects view and its commands. */
export function registerProjects(feature: ProjectsFeature): Provides<'projects'> {
  const { projects, tokens, log } = feature;
  const { globalState } = feature.context;
  const store = new KnownKeysStore(globalState);
  const keyLists = new KeyLists(projects, feature.transport, userAgent(feature.context), store, log);
  const { appChildren, lines } = feature;
  const loadItems = async () => {
    const { ProjectItems } = await import('./tree/projectItems.ts');
    return new ProjectItems(Date.now);
  };
  const own = new OwnSecrets(feature.secrets, log);
  const tree = new ProjectsTree(projects, tokens, keyLists, loadItems, appChildren, lines, own);
  const { view } = feature.rows;
  feature.rows.fill(tree);

  const owned = vscode.Disposable.from(
    tree,
    own,
    inBackground(async () => {
      const { ExpiryWatch } = await import('./keys/expiryWatch.ts');
      return new ExpiryWatch({
        ...{ projects, tokens, keyLists, state: globalState, log, now: Date.now },
        display: {
          badge: (badge) => {
            view.badge = badge;
          },
          tell: (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons),
          hasFocus: () => vscode.window.state.focused,
          show: () => void vscode.commands.executeCommand(`${viewIds.projects}.focus`),
          redraw: () => tree.redraw(),
        },
      });
    }, log),
    inBackground(async () => {
      const { ClearTextWatch } = await import('./tokens/clearTextWatch.ts');
      const tell = (message: string, ...buttons: string[]) =>
        vscode.window.showWarningMessage(message, ...buttons);
      return new ClearTextWatch({ projects, state: globalState, tell, log });
    }, log),
    registerStaleKeys(),
    new ViewProgress(keyLists),
    keyLists,
    firstVisible(view, () => void keyLists.loadAll()),
  );
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, { tree, view, keyLists }),
    dispose: () => void owned.dispose(),
  };
}

/** Calls back the first time that the view is seen: nothing is asked of the service before. */
function firstVisible(view: vscode.TreeView<unknown>, callback: () => void): vscode.Disposable {
  if (view.visible) callback();
  const subscription = view.onDidChangeVisibility(({ visible }) => {
    if (!visible) return;
    subscription.dispose();
    callback();
  });
  return subscription;
}
