import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/** A task that was started. */
export interface TaskRun {
  execution: vscode.TaskExecution;
  /** Its exit code; undefined where it was ended from outside. */
  ended: Promise<number | undefined>;
}

/** Starts a task in the editor. */
export async function startTask(task: vscode.Task): Promise<TaskRun> {
  const ended = Promise.withResolvers<number | undefined>();
  const codes = new Map<vscode.TaskExecution, number | undefined>();
  const over = new Set<vscode.TaskExecution>();
  // It may have ended before the editor says that it has started it.
  const look = (execution: vscode.TaskExecution): void => {
    if (!over.has(execution)) return;
    subscriptions.dispose();
    ended.resolve(codes.get(execution));
  };
  const subscriptions = vscode.Disposable.from(
    vscode.tasks.onDidEndTaskProcess((event) => codes.set(event.execution, event.exitCode)),
    vscode.tasks.onDidEndTask((event) => {
      over.add(event.execution);
      if (event.execution === started.execution) look(event.execution);
    }),
  );
  const started: { execution?: vscode.TaskExecution } = {};
  const execution = (started.execution = await vscode.tasks.executeTask(task));
  look(execution);
  return { execution, ended: ended.promise };
}

/** The task of that name, as the editor finds it in tasks.json or among those that are provided. */
export async function taskNamed(name: string): Promise<vscode.Task> {
  return eventually(async () => (await vscode.tasks.fetchTasks()).find((task) => task.name === name));
}

/** Ends a task that goes on. Resolves once it has ended. */
export async function endTask(name: string): Promise<void> {
  const running = vscode.tasks.taskExecutions.find(({ task }) => task.name === name);
  if (running === undefined) throw new Error(`The task "${name}" does not run.`);
  const ended = new Promise<void>((resolve) => {
    const subscription = vscode.tasks.onDidEndTask(({ execution }) => {
      if (execution !== running) return;
      subscription.dispose();
      resolve();
    });
  });
  running.terminate();
  await ended;
}

/** After so many looks the file is written once more: of one that was written twice at once the editor may miss a change. */
const looksAWriting = 50;

/** Writes the tasks.json of the workspace, and waits until the editor has read it; without tasks there is none. */
export async function tasksJson(tasks: readonly Record<string, unknown>[] = []): Promise<void> {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const file = vscode.Uri.joinPath(folder, '.vscode', 'tasks.json');
  const before = await ofWorkspace();
  if (tasks.length === 0 && before.length === 0) return;
  const labels = tasks.map(({ label }) => String(label));
  let looks = 0;
  await eventually(async () => {
    if (looks % looksAWriting === 0) {
      const text = JSON.stringify({ version: '2.0.0', tasks }) + '\n'.repeat(looks / looksAWriting);
      await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    }
    looks += 1;
    const names = (await vscode.tasks.fetchTasks()).map(({ name }) => name);
    const isRead = labels.every((label) => names.includes(label));
    const isGone = before.every((name) => labels.includes(name) || !names.includes(name));
    return isRead && isGone ? true : undefined;
  });
  if (tasks.length === 0) await vscode.workspace.fs.delete(file);
}

/** The names of the tasks of a tasks.json, which the editor offers in that workspace's name. */
async function ofWorkspace(): Promise<string[]> {
  const offered = await vscode.tasks.fetchTasks();
  return offered.filter(({ source }) => source === 'Workspace').map(({ name }) => name);
}
