import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import { inBackground } from '../inBackground.ts';
import type { LazyView } from '../activation/lazyView.ts';
import type { Provides } from '../commands.ts';
import { viewIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { userAgent } from '../transport.ts';
import type { AppChildren } from './tree/appChildren.ts';
import { KeyLists } from './keys/keyLists.ts';
import { KnownKeysStore } from './keys/knownKeysStore.ts';
import { OwnSecrets, type ProjectSecrets } from './ownSecrets.ts';
import type { Projects } from './projects.ts';
import type { ProjectNode } from './tree/projectNode.ts';
import { ProjectsTree } from './tree/projectsTree.ts';
import { registerStaleKeys } from './keys/staleKeys.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { ViewLines } from './tree/viewLines.ts';
import { ViewProgress } from './tree/viewProgress.ts';

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
