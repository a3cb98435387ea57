import * as vscode from 'vscode';
import type { Provides } from '../kit/commands.ts';
import { t } from '../../shared/text/l10n.ts';
import { viewIds } from '../kit/ids.ts';
import type { LazyView } from '../kit/lazyView.ts';
import type { Services } from '../kit/services.ts';
import { TerminalToken } from './terminalToken.ts';
import { type Node, revealRow, watchAges } from '../kit/tree.ts';
import { userAgent } from '../kit/transport.ts';
import { ExpiryWatch } from './expiryWatch.ts';
import { KeyLists } from './keyLists.ts';
import { KnownKeysStore } from './knownKeys.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Reveal } from './accountCommands.ts';
import { watchClearText } from './clearTextWatch.ts';
import type { RenamedApp, ShowProject } from './projectCommands.ts';
import { TokenCheck } from './tokenCheck.ts';
import { type AppRows, ProjectsTree, type RunWays, type ViewLines } from './projectsTree.ts';

export { rowId } from './accountRows.ts';
export type { AppCall } from './questions.ts';
export type { Access, Projects } from './projects.ts';
export type { Tokens } from './tokens.ts';
export type { TransientProject } from './projects.ts';
export type { AppRows, NewestRun, ViewLines } from './projectsTree.ts';
export type { ProjectQuestions } from './projectQuestions.ts';
export type { RenamedApp } from './projectCommands.ts';

/** The project, account, app and token questions for commands of other features. Loaded when first needed. */
export async function loadQuestions({
  projects,
  prompts,
}: Pick<Services, 'projects' | 'prompts'>): Promise<ProjectQuestions> {
  const { ProjectQuestions } = await import('./projectQuestions.ts');
  return new ProjectQuestions(projects, prompts);
}

/** What is shown in the Projects view besides the projects. */
export interface ProjectsView {
  rows: LazyView<Node>;
  appRows: AppRows;
  ways: RunWays;
  lines: ViewLines;
}

interface ProjectsFeature extends Provides<'projects'> {
  /** Moves the focus to the first app of a project. */
  focusApp: (projectId: string) => Promise<void>;
}

/** The Projects view and its commands. */
export function registerProjects(
  services: Services,
  shown: ProjectsView,
  renamedApp: RenamedApp,
): ProjectsFeature {
  const { projects, tokens, log, context, transport, errors } = services;
  const state = context.globalState;
  const store = new KnownKeysStore(state);
  const keyLists = new KeyLists({ projects, transport, userAgent: userAgent(context), store, log });
  const check = new TokenCheck(
    keyLists,
    async (service, ref) => projects.hasToken(ref, service),
    (error, ref) => errors.report(t('Set Token'), error, () => keyLists.load(ref)),
  );
  projects.checkTokens((service, ref) => check.of(service, ref));
  const terminals = new TerminalToken(context.environmentVariableCollection, (ref) =>
    projects.storedToken(ref),
  );
  const tree = new ProjectsTree({ ...services, ...shown, keyLists, terminals, now: Date.now });
  const { view } = shown.rows;
  shown.rows.fill(tree);
  const reveal: Reveal = async (ref, { focus }) => {
    if (focus) {
      await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
      await tree.taken();
    }
    const node = tree.account(ref);
    if (node !== undefined) await view.reveal(node, { expand: true, select: focus });
  };
  /** Has a row in sight, if the view knows it in time. */
  const bringIntoSight = async (find: () => Promise<Node | undefined>, focus = false) => {
    await revealRow(async () => {
      await tree.taken();
      const row = await find();
      if (row !== undefined) await view.reveal(row, { focus, select: false });
    }).catch((error: unknown) => log.info(String(error)));
  };
  const showProject: ShowProject = (projectId) => bringIntoSight(() => tree.project(projectId));
  const tell = (message: string, ...buttons: string[]) =>
    vscode.window.showWarningMessage(message, ...buttons);

  const owned = vscode.Disposable.from(
    tree,
    terminals,
    new ExpiryWatch({
      ...{ projects, tokens, keyLists, state, log, now: Date.now },
      display: {
        badge: (badge) => {
          view.badge = badge;
        },
        tell,
        hasFocus: () => vscode.window.state.focused,
        show: (ref) => void reveal(ref, { focus: true }).catch((error: unknown) => log.info(String(error))),
        redraw: () => tree.redraw(),
      },
    }),
    watchClearText({ projects, state, tell, log }),
    keyLists,
    onFirstVisible(view, () => void keyLists.loadAll()),
    // What the badge counts is known before an account is unfolded.
    projects.onDidChange(() => view.visible && void keyLists.loadAll(true)),
    projects.onDidChangeToken(
      ({ change }) => change === 'set' && view.visible && void keyLists.loadAll(true),
    ),
    watchAges(view, () => tree.redraw()),
  );
  return {
    commands: async () => {
      const { projectCommands } = await import('./projectCommands.ts');
      return projectCommands(
        { ...services, keyLists, check, renamedApp, reveal, showProject, terminals },
        tree,
        view,
      );
    },
    focusApp: async (projectId) => {
      await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
      await bringIntoSight(() => tree.firstApp(projectId), true);
    },
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
