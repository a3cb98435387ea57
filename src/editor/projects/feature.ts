import * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { viewIds } from '../ids.ts';
import { userAgent } from '../transport.ts';
import type { ProjectsFeature } from './commandSet.ts';
import { ExpiryWatch } from './keys/expiryWatch.ts';
import { KeyLists } from './keys/keyLists.ts';
import { KnownKeysStore } from './keys/knownKeysStore.ts';
import type { ProjectQuestions } from './questions/projectQuestions.ts';
import { ClearTextWatch } from './tokens/clearTextWatch.ts';
import { ProjectsTree } from './projectsTree.ts';

export type { AppCall } from './questions/confirmProduction.ts';
export type { Access, Projects } from './projects.ts';
export type { Tokens } from './tokens/tokens.ts';
export type { TransientProject } from './transientProjects.ts';
export type { AppRows, ViewLines } from './projectsTree.ts';
export type { ProjectQuestions } from './questions/projectQuestions.ts';

/** The project, account, app and token questions for commands of other features. Loaded when first needed. */
export async function loadQuestions({
  projects,
  prompts,
}: Pick<ProjectsFeature, 'projects' | 'prompts'>): Promise<ProjectQuestions> {
  const { ProjectQuestions } = await import('./questions/projectQuestions.ts');
  return new ProjectQuestions(projects, prompts);
}

/** The Projects view and its commands. */
export function registerProjects(feature: ProjectsFeature): Provides<'projects'> {
  const { projects, tokens, log, context } = feature;
  const state = context.globalState;
  const store = new KnownKeysStore(state);
  const keyLists = new KeyLists(projects, feature.transport, userAgent(context), store, log);
  const sources = { ...feature, keyLists, now: Date.now };
  const tree = new ProjectsTree(sources);
  const { view } = feature.rows;
  feature.rows.fill(tree);
  const tell = (message: string, ...buttons: string[]) =>
    vscode.window.showWarningMessage(message, ...buttons);

  const owned = vscode.Disposable.from(
    tree,
    new ExpiryWatch({
      ...{ projects, tokens, keyLists, state, log, now: Date.now },
      display: {
        badge: (badge) => {
          view.badge = badge;
        },
        tell,
        hasFocus: () => vscode.window.state.focused,
        show: () => void vscode.commands.executeCommand(`${viewIds.projects}.focus`),
        redraw: () => tree.redraw(),
      },
    }),
    new ClearTextWatch({ projects, state, tell, log }),
    keyLists,
    onFirstVisible(view, () => void keyLists.loadAll()),
  );
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(sources, tree),
    dispose: () => void owned.dispose(),
  };
}

/** Calls back when the view first becomes visible: no request is sent to the service before that. */
function onFirstVisible(view: vscode.TreeView<unknown>, callback: () => void): vscode.Disposable {
  if (view.visible) callback();
  const subscription = view.onDidChangeVisibility(({ visible }) => {
    if (!visible) return;
    subscription.dispose();
    callback();
  });
  return subscription;
}
