import * as vscode from 'vscode';
import { systemClock } from '../../model/processes/clock.ts';
import { isBackground, readTask, type TaskDefinition } from '../../model/tasks/taskDefinition.ts';
import { taskType } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import { readableError } from '../reportError.ts';
import { listenWork, sandboxWork } from './backgroundTasks.ts';
import { applyWork, runWork, sendWork } from './callTasks.ts';
import { offeredTasks, type TaskPlace } from './offeredTasks.ts';
import { TaskTerminal, type TaskWork } from './taskTerminal.ts';

/** Runhook's tasks: those of a tasks.json, and those offered for the workspace. */
export function tasks(services: Services): vscode.TaskProvider {
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

function workOf(task: TaskDefinition, services: Services): TaskWork {
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
      return sendWork(task);
  }
}
