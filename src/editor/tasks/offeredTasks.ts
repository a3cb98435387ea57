import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';

/** Whose task it is. */
export type TaskPlace = vscode.WorkspaceFolder | vscode.TaskScope.Global | vscode.TaskScope.Workspace;

/** A task that needs no tasks.json. */
interface OfferedTask {
  definition: { task: string };
  scope: TaskPlace;
  /** Names it in settings and launch configurations, and so is the same in every language. */
  name: string;
  detail: string;
}

/** The tasks that fit the workspace. */
export function offeredTasks(): OfferedTask[] {
  const scope = vscode.TaskScope.Workspace;
  return [
    {
      ...{ definition: { task: 'listen' }, scope, name: 'listen' },
      detail: t('Listens, and shows each delivery, until it is ended'),
    },
    {
      ...{ definition: { task: 'sandbox' }, scope, name: 'sandbox' },
      detail: t('Serves the sandbox until it is ended'),
    },
  ];
}
