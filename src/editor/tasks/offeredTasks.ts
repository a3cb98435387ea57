import * as vscode from 'vscode';
import type { TaskName } from '../../model/tasks/taskDefinition.ts';
import { t } from '../../model/text/l10n.ts';
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
  const scope = vscode.TaskScope.Workspace;
  const ofFiles = await Promise.all([
    tasksOfFiles(`**/*${suffixes.settings}`, (file) => ({
      ...{ definition: { task: 'apply', file }, name: `apply ${file}` },
      detail: t('Applies the settings of the file'),
    })),
    tasksOfFiles(`**/*${suffixes.payload}`, (payload) => ({
      ...{ definition: { task: 'run', payload }, name: `run ${payload}` },
      detail: t('Runs an app with the payload'),
    })),
    tasksOfFiles('**/.runhook/fixtures/*.json', (fixture) => ({
      ...{ definition: { task: 'send', fixture }, name: `send ${fixture}` },
      detail: t('Sends the fixture, signed now'),
    })),
  ]);
  return [
    {
      ...{ definition: { task: 'listen' }, scope, name: 'listen' },
      detail: t('Listens, and shows each delivery, until it is ended'),
    },
    {
      ...{ definition: { task: 'sandbox' }, scope, name: 'sandbox' },
      detail: t('Serves the sandbox until it is ended'),
    },
    ...ofFiles.flat(),
  ];
}

/** A task for each file of the workspace that fits, named by its path within its folder. */
async function tasksOfFiles(
  pattern: string,
  taskOf: (path: string) => Omit<OfferedTask, 'scope'>,
): Promise<OfferedTask[]> {
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostFiles);
  return found
    .sort((a, b) => a.path.localeCompare(b.path))
    .flatMap((uri) => {
      const scope = vscode.workspace.getWorkspaceFolder(uri);
      return scope === undefined ? [] : [{ ...taskOf(vscode.workspace.asRelativePath(uri, false)), scope }];
    });
}
