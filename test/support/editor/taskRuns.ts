import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/** A started task. */
interface TaskRun {
  execution: vscode.TaskExecution;
  /** Its exit code; undefined if it was terminated. */
  ended: Promise<number | undefined>;
}

/** Starts a task in the editor. */
export async function startTask(task: vscode.Task): Promise<TaskRun> {
  const ended = Promise.withResolvers<number | undefined>();
  const codes = new Map<vscode.TaskExecution, number | undefined>();
  const over = new Set<vscode.TaskExecution>();
  // The task may end before `executeTask` resolves.
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

/** Waits for a task with this name, in tasks.json or from a provider. */
export async function findTask(name: string): Promise<vscode.Task> {
  return eventually(async () => (await vscode.tasks.fetchTasks()).find((task) => task.name === name));
}

/** Terminates a running task and waits for its end. */
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

/** After this many polls the file is written again, because the editor may miss a change that follows another closely. */
const looksPerWrite = 50;

/** Writes tasks.json and waits until the editor has read it. Without tasks it removes the file. */
export async function writeTasksJson(tasks: readonly Record<string, unknown>[] = []): Promise<void> {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const file = vscode.Uri.joinPath(folder, '.vscode', 'tasks.json');
  const before = await workspaceTaskNames();
  if (tasks.length === 0 && before.length === 0) return;
  const labels = tasks.map(({ label }) => String(label));
  let looks = 0;
  await eventually(async () => {
    if (looks % looksPerWrite === 0) {
      const text = JSON.stringify({ version: '2.0.0', tasks }) + '\n'.repeat(looks / looksPerWrite);
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

/** The names of the tasks in tasks.json. */
async function workspaceTaskNames(): Promise<string[]> {
  const offered = await vscode.tasks.fetchTasks();
  return offered.filter(({ source }) => source === 'Workspace').map(({ name }) => name);
}
