import * as vscode from 'vscode';
import type { TaskName } from '../../model/tasks/taskDefinition.ts';
import { t } from '../../model/text/l10n.ts';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { severalFolders } from '../config.ts';
import { suffixes } from '../ids.ts';

/** The scope of a task. */
export type TaskPlace = vscode.WorkspaceFolder | vscode.TaskScope.Global | vscode.TaskScope.Workspace;

/** A task that needs no tasks.json. */
interface OfferedTask {
  definition: { task: TaskName } & Record<string, unknown>;
  scope: TaskPlace;
  /** Names the task in settings and launch configurations, so it is the same in every language. */
  name: string;
  detail: string;
}

/** How many files of a kind are offered as tasks. */
const maxFiles = 20;

/** The tasks offered for the workspace. */
export async function offeredTasks(): Promise<OfferedTask[]> {
  const folders = severalFolders();
  // VS Code assigns workspace tasks to the first folder: a launch.json of another folder would not find them.
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
 * A task for each file of the workspace that matches, named by the file's path within its folder.
 * @param taskOf gets the file as the definition names it, and that path
 */
async function tasksOfFiles(
  pattern: string,
  taskOf: (file: string, path: string) => Omit<OfferedTask, 'scope'>,
): Promise<OfferedTask[]> {
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', maxFiles);
  return found
    .sort((a, b) => a.path.localeCompare(b.path))
    .flatMap((uri) => {
      const scope = vscode.workspace.getWorkspaceFolder(uri);
      if (scope === undefined) return [];
      const path = vscode.workspace.asRelativePath(uri, false);
      // VS Code treats tasks with the same definition as one, whatever their folders: hence the URI.
      return [{ ...taskOf(severalFolders().length > 0 ? uri.toString() : path, path), scope }];
    });
}
