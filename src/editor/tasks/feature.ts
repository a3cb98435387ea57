import * as vscode from 'vscode';
import { isBackground, readTask, type TaskDefinition } from '../../model/tasks/taskDefinition.ts';
import { taskType } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import type { Log } from '../log.ts';
import { readableError } from '../reportError.ts';
import type { DeliveryWaitParts } from '../run/feature.ts';
import type { Sandbox } from '../sandbox/feature.ts';
import { listenWork, sandboxWork } from './backgroundTasks.ts';
import { applyWork, runWork, sendWork } from './callTasks.ts';
import { offeredTasks, type TaskPlace } from './offeredTasks.ts';
import { TaskTerminal, type TaskWork } from './taskTerminal.ts';

export interface TasksFeature extends DeliveryWaitParts {
  listener: Listener;
  sandbox: Sandbox;
  log: Log;
}

/** Runhook's tasks: those of a tasks.json, and those offered for the workspace. */
export function tasks(feature: TasksFeature): vscode.TaskProvider {
  const make = (definition: vscode.TaskDefinition, scope: TaskPlace, name: string): vscode.Task => {
    const { task: kind } = definition as { task?: unknown };
    const inBackground = isBackground(kind);
    // The variables in a definition are resolved only when the task is run.
    const execution = new vscode.CustomExecution((resolved) =>
      Promise.resolve(
        new TaskTerminal(
          async (output) => workOf(readTask(resolved), feature)(output),
          (error) => readableError(feature.log, `${taskType}: ${name}`, error).message,
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

function workOf(task: TaskDefinition, feature: TasksFeature): TaskWork {
  switch (task.task) {
    case 'listen':
      return listenWork(feature.listener, feature.log);
    case 'sandbox':
      return sandboxWork(feature.sandbox);
    case 'apply':
      return applyWork(task);
    case 'run':
      return runWork(task, feature);
    case 'send':
      return sendWork(task);
  }
}
