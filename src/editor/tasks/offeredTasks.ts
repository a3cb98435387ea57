import * as vscode from 'vscode';
import type { TaskName } from '../../model/tasks/taskDefinition.ts';
import { t } from '../../model/text/l10n.ts';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { severalFolders } from '../config.ts';
import { suffixes } from '../ids.ts';

/** Whose task it is. */
export type TaskPlace = vscode.WorkspaceFolder | vscode.TaskScope.Global | vscode.TaskScope.Workspace;

/** A task that needs no tasks.json. */
interface OfferedTask {
  definition: { task: TaskName } & Record<string, unknown>;
  scope: TaskPlace;
  /** Names it in settings and launch configurations, and so is the same in every language. */
  name: string;
  detail: string;
}

/** So many files of a kind are offered. */
const mostFiles = 20;

/** The tasks that fit the workspace. */
export async function offeredTasks(): Promise<OfferedTask[]> {
  const folders = severalFolders();
  // VS Code gives what is the workspace's to its first folder: a launch.json of another would not find it.
  const scopes: readonly TaskPlace[] = folders.length > 0 ? folders : [vscode.TaskScope.Workspace];
  const ofFiles = await Promise.all([
    tasksOfFiles(`**/*${suffixes.settings}`, (file, path) => ({
      ...{ definition: { task: 'apply', file }, name: `apply ${path}` },
      detail: t('Applies the settings of the file'),
    })),
    tasksOfFiles(`**/*${suffixes.payload}`, (payload, path) => ({
      ...{ definition: { task: 'run', payload }, name: `run ${path}` },
      detail: t('Runs an app with the payload'),
    })),
    tasksOfFiles(fixtureGlob, (fixture, path) => ({
      ...{ definition: { task: 'send', fixture }, name: `send ${path}` },
      detail: t('Sends the fixture, signed now'),
    })),
  ]);
  return [
    ...scopes.flatMap((scope): OfferedTask[] => [
      {
        ...{ definition: { task: 'listen' }, scope, name: 'listen' },
        detail: t('Listens, and shows each delivery, until it is ended'),
      },
      {
        ...{ definition: { task: 'sandbox' }, scope, name: 'sandbox' },
        detail: t('Serves the sandbox until it is ended'),
      },
    ]),
    ...ofFiles.flat(),
  ];
}

/**
 * A task for each file of the workspace that fits, named by its path within its folder.
 * @param taskOf gets what names the file in the definition, and that path
 */
async function tasksOfFiles(
  pattern: string,
  taskOf: (file: string, path: string) => Omit<OfferedTask, 'scope'>,
): Promise<OfferedTask[]> {
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostFiles);
  return found
    .sort((a, b) => a.path.localeCompare(b.path))
    .flatMap((uri) => {
      const scope = vscode.workspace.getWorkspaceFolder(uri);
      if (scope === undefined) return [];
      const path = vscode.workspace.asRelativePath(uri, false);
      // VS Code takes two tasks of one definition for the same, whatever folder they are of.
      return [{ ...taskOf(severalFolders().length > 0 ? uri.toString() : path, path), scope }];
    });
}
