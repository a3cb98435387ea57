import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import { command, deliveries, eventually } from '../../support/editor/inEditor.ts';
import { endTask, startTask, findTask, writeTasksJson } from '../../support/editor/taskRuns.ts';

/** A program that ends at once, once the task that it depends on is ready. */
const program = (task: string) => ({
  ...{ label: `after ${task}`, dependsOn: task },
  ...{ type: 'process', command: process.execPath, args: ['-e', ''] },
  options: { env: { ELECTRON_RUN_AS_NODE: '1' } },
});

const hear = { label: 'hear', type: 'runhook', task: 'listen' };
const play = { label: 'play', type: 'runhook', task: 'sandbox' };

describe('tasks that go on in the background', () => {
  let api: RunhookApi;
  const listens = (): boolean => api.listenerState.kind === 'listening';
  const sandboxRuns = () =>
    command('resetSandbox', {}).then(
      () => true,
      () => false,
    );

  before(async () => {
    api = await vscode.extensions.getExtension<RunhookApi>('runhook.runhook')!.activate();
  });
  beforeEach(async () => {
    await command('stopListener');
    await command('stopSandbox');
  });
  afterEach(() => writeTasksJson([]));
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
  });

  /** Runs a program that depends on a task. @returns whether the listener listened when it was started */
  async function runAfter(task: string): Promise<boolean[]> {
    const started: boolean[] = [];
    const watch = vscode.tasks.onDidStartTaskProcess(({ execution }) => {
      if (execution.task.name === `after ${task}`) started.push(listens());
    });
    assert.equal(await (await startTask(await findTask(`after ${task}`))).ended, 0);
    watch.dispose();
    return started;
  }

  it('are offered, with what tells when they are ready', async () => {
    const offered = await vscode.tasks.fetchTasks({ type: 'runhook' });
    assert.deepEqual(
      offered
        .filter(({ isBackground }) => isBackground)
        .map(({ name, source, problemMatchers }) => [name, source, problemMatchers]),
      [
        ['listen', 'runhook', ['$runhook-listen']],
        ['sandbox', 'runhook', ['$runhook-sandbox']],
      ],
    );
  });

  it('need no tasks.json to be there before a program is started', async () => {
    await writeTasksJson([program('runhook: listen')]);
    assert.deepEqual(await runAfter('runhook: listen'), [true]);
    await endTask('listen');
    await eventually(() => (listens() ? undefined : true));
  });

  it('listen under the name that a tasks.json gives them, until they are ended', async () => {
    await writeTasksJson([hear, program('hear')]);
    assert.deepEqual(await runAfter('hear'), [true]);
    const [before] = await deliveries();
    await command('sendTestDelivery');
    assert.notEqual((await deliveries())[0]?.id, before?.id);
    await endTask('hear');
    await eventually(() => (listens() ? undefined : true));
  });

  it('leave a listener alone that ran before', async () => {
    await writeTasksJson([hear, program('hear')]);
    const { port } = await command<{ port: number }>('startListener', { port: 0 });
    await runAfter('hear');
    await endTask('hear');
    assert.deepEqual(await command('startListener', { port }), { port, url: `http://127.0.0.1:${port}/` });
    assert.ok(listens());
  });

  it('end with the listener, without a failure', async () => {
    await writeTasksJson([hear]);
    const { ended } = await startTask(await findTask('hear'));
    await eventually(() => (listens() ? true : undefined));
    await command('stopListener');
    assert.equal(await ended, 0);
  });

  it('serve the sandbox before a program is started, until they are ended', async () => {
    await writeTasksJson([play, program('play')]);
    await runAfter('play');
    assert.ok(await sandboxRuns());
    await endTask('play');
    await eventually(async () => ((await sandboxRuns()) ? undefined : true));
  });

  it('leave a sandbox alone that ran before', async () => {
    await writeTasksJson([play, program('play')]);
    await command('startSandbox');
    await runAfter('play');
    await endTask('play');
    assert.ok(await sandboxRuns());
  });
});
