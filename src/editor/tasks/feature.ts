import * as vscode from 'vscode';
import { systemClock } from '../../shared/async/clock.ts';
import { readsAsVariable } from '../kit/handlerConfiguration.ts';
import { type TaskDefinition, type TaskName, isBackground, readTask } from './taskDefinition.ts';
import { t } from '../../shared/text/l10n.ts';
import { fixtureGlobs } from '../../suite/fixture/fixture.ts';
import { severalFolders } from '../kit/config.ts';
import { suffixes, taskType } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { readableError } from '../kit/log.ts';
import { TaskTerminal, type TaskWork, listenWork, sandboxWork } from './backgroundTasks.ts';
import { applyWork, runWork, sendWork } from './callTasks.ts';

/** What the work of tasks needs. */
interface TaskParts extends Services {
  explainer: Explainer;
}

/** Runhook's tasks: those of a tasks.json, and those offered for the workspace. */
export function tasks(services: TaskParts): vscode.TaskProvider {
  const make = (definition: vscode.TaskDefinition, scope: TaskPlace, name: string): vscode.Task => {
    const { task: kind } = definition as { task?: unknown };
    const inBackground = isBackground(kind);
    // The variables in a definition are resolved only when the task is run.
    const execution = new vscode.CustomExecution((resolved) =>
      Promise.resolve(
        new TaskTerminal(
          async (output) => workOf(readTask(resolved), services)(output),
          (error) => readableError(services.log, `${taskType}: ${name}`, error).message,
        ),
      ),
    );
    const matchers = inBackground ? [`$runhook-${String(kind)}`] : [];
    const task = new vscode.Task(definition, scope, name, taskType, execution, matchers);
    task.isBackground = inBackground;
    return task;
  };
  return {
    provideTasks: async () =>
      (await offeredTasks()).map(({ definition, scope, name, detail }) =>
        Object.assign(make({ type: taskType, ...definition }, scope, name), { detail }),
      ),
    resolveTask: ({ definition, scope, name }) => make(definition, scope ?? vscode.TaskScope.Workspace, name),
  };
}

function workOf(task: TaskDefinition, services: TaskParts): TaskWork {
  switch (task.task) {
    case 'listen':
      return listenWork(services.listener, services.log);
    case 'sandbox':
      return sandboxWork(services.sandbox);
    case 'apply':
      return applyWork(task);
    case 'run':
      return runWork(task, { ...services, clock: systemClock });
    case 'send':
      return sendWork(task, services.listener.destinations);
  }
}

/** The scope of a task. */
type TaskPlace = vscode.WorkspaceFolder | vscode.TaskScope.Global | vscode.TaskScope.Workspace;

/** A task that needs no tasks.json. */
interface OfferedTask {
  definition: { task: TaskName } & Record<string, unknown>;
  scope: TaskPlace;
  /** Names the task in settings and launch configurations, so it is the same in every language. */
  name: string;
  detail: string;
}

/** The task that is offered for each file of a kind. */
interface FileTask {
  ending: string;
  /** @param file as a task definition names it */
  define: (file: string) => OfferedTask['definition'];
  detail: () => string;
}

/** How many files of a kind are offered as tasks. */
const maxFiles = 20;

/** The task of a file is the first whose ending it has. Fixtures are last: those of the older form have no other ending. */
const fileTasks: readonly FileTask[] = [
  {
    ending: suffixes.settings,
    define: (file) => ({ task: 'apply', file }),
    detail: () => t('Applies the settings of the file'),
  },
  {
    ending: suffixes.payload,
    define: (payload) => ({ task: 'run', payload }),
    detail: () => t('Runs an app with the payload'),
  },
  {
    ending: '.json',
    define: (fixture) => ({ task: 'send', fixture }),
    detail: () => t('Sends the fixture, signed now'),
  },
];

/** Finds all of these files at once, since each search starts a process. */
const fileGlob = `{**/*${suffixes.settings},**/*${suffixes.payload},${fixtureGlobs.join(',')}}`;

/** The tasks offered for the workspace. */
export async function offeredTasks(): Promise<OfferedTask[]> {
  const folders = severalFolders();
  // VS Code assigns workspace tasks to the first folder: a launch.json of another folder would not find them.
  const scopes: readonly TaskPlace[] = folders.length > 0 ? folders : [vscode.TaskScope.Workspace];
  return [
    ...scopes.flatMap((scope): OfferedTask[] => [
      {
        ...{ definition: { task: 'listen' }, scope, name: 'listen' },
        detail: t('Listens and shows each delivery until the task is stopped'),
      },
      {
        ...{ definition: { task: 'sandbox' }, scope, name: 'sandbox' },
        detail: t('Serves the sandbox until the task is stopped'),
      },
    ]),
    ...(await tasksOfFiles()),
  ];
}

/** Tasks for the files of the workspace, each named by the file's path within its folder. */
async function tasksOfFiles(): Promise<OfferedTask[]> {
  const found = await vscode.workspace.findFiles(fileGlob, '**/{node_modules,.git}/**');
  const named = found.filter((uri) => !readsAsVariable(vscode.workspace.asRelativePath(uri, false)));
  named.sort((a, b) => a.path.localeCompare(b.path));
  return fileTasks.flatMap((one) => {
    const files = named.filter(({ path }) => one === fileTasks.find(({ ending }) => path.endsWith(ending)));
    return files.slice(0, maxFiles).flatMap((uri) => {
      const scope = vscode.workspace.getWorkspaceFolder(uri);
      if (scope === undefined) return [];
      const path = vscode.workspace.asRelativePath(uri, false);
      // VS Code treats tasks with the same definition as one, whatever their folders: hence the URI.
      const definition = one.define(severalFolders().length > 0 ? uri.toString() : path);
      return [{ definition, scope, name: `${definition.task} ${path}`, detail: one.detail() }];
    });
  });
}
