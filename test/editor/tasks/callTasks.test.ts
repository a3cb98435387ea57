import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { offeredTasks } from '../../../src/editor/tasks/feature.ts';
import { answerPrompts, command, deliveries, eventually, setSetting } from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { countSearches } from '../../support/editor/searches.ts';
import { endTask, startTask, findTask, writeTasksJson } from '../../support/editor/taskRuns.ts';

interface Sandbox {
  projectId: string;
  serviceAccounts: { id: string; environment: string }[];
}

describe('tasks that end by themselves', () => {
  let sandbox: Sandbox;
  let app: Receiver;
  let tried = 0;
  const files: vscode.Uri[] = [];

  /** Writes a file of the workspace. */
  async function write(path: string, content: object): Promise<void> {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify(content)));
    files.push(uri);
  }

  /** The exit code of a task that a tasks.json holds. */
  async function exitCode(definition: object): Promise<number | undefined> {
    const label = `tried ${(tried += 1)}`;
    await writeTasksJson([{ label, type: 'runhook', ...definition }]);
    return (await startTask(await findTask(label))).ended;
  }

  const setApps = (apps: object | undefined): Thenable<void> => setSetting('sandbox.apps', apps);

  before(async () => {
    app = await Receiver.start();
    await setApps({ slow: app.url });
    sandbox = await command<Sandbox>('startSandbox');
    await command('startListener', { port: 0 });
    await write('deploy/small.runhook.json', { app: 'hello', settings: { minReplicaCount: 1 } });
    await write('deploy/wrong.runhook.json', { app: 'hello', settings: { minReplicaCount: -1 } });
    await write('greet.payload.json', { name: 'Ada' });
  });
  beforeEach(() => {
    app.received.length = 0;
    app.otherwise = 200;
  });
  afterEach(async () => {
    await answerPrompts();
    await command('setSandboxFaults', { faults: [] });
  });
  after(async () => {
    await writeTasksJson([]);
    for (const file of files) await vscode.workspace.fs.delete(file);
    await command('clearDeliveries');
    await command('stopListener');
    await command('stopSandbox');
    await setApps(undefined);
    await app.close();
  });

  it('are offered for the files of the workspace', async () => {
    const found = await vscode.tasks.fetchTasks({ type: 'runhook' });
    const offered = found.filter(({ name }) => /greet|deploy/.test(name));
    assert.deepEqual(
      offered.map(({ name, definition, isBackground }) => [name, String(definition.task), isBackground]),
      [
        ['apply deploy/small.runhook.json', 'apply', false],
        ['apply deploy/wrong.runhook.json', 'apply', false],
        ['run greet.payload.json', 'run', false],
      ],
    );
    assert.equal(await (await startTask(offered[0]!)).ended, 0);
  });

  it('are none for a file whose name the editor takes for a variable', async () => {
    const [folder] = vscode.workspace.workspaceFolders!;
    const file = vscode.Uri.joinPath(folder!.uri, '${command:runhook.webhookSecret}.payload.json');
    await vscode.workspace.fs.writeFile(file, Buffer.from('{}'));
    files.push(file);
    await eventually(async () => (await vscode.workspace.findFiles('**/*webhookSecret*'))[0]);
    assert.deepEqual(
      (await offeredTasks()).filter(({ name }) => name.includes('${')),
      [],
    );
  });

  it('are found by one search', async () => {
    await countSearches(async (count) => {
      const offered = await offeredTasks();
      assert.ok(offered.some(({ name }) => name === 'run greet.payload.json'));
      assert.equal(count(), 1);
    });
  });

  it('fail where the definition does not fit', async () => {
    assert.equal(await exitCode({ task: 'apply' }), 1);
  });

  describe('and apply a settings file', () => {
    it('that a variable leads to, and fail with one that breaks a limit or is not there', async () => {
      const file = (name: string) => ({ task: 'apply', file: `\${workspaceFolder}/deploy/${name}` });
      assert.equal(await exitCode(file('small.runhook.json')), 0);
      assert.equal(await exitCode(file('wrong.runhook.json')), 1);
      assert.equal(await exitCode({ task: 'apply', file: 'missing.runhook.json' }), 1);
    });

    it('under prod once the user has agreed', async () => {
      const { projectId, serviceAccounts } = sandbox;
      const [ci, prod] = [serviceAccounts[0]!, serviceAccounts.find((one) => one.environment === 'prod')!];
      await command('useServiceAccount', { projectId, serviceAccountId: prod.id });
      try {
        let asked = 0;
        await answerPrompts(() => {
          asked += 1;
          return false;
        });
        assert.equal(await exitCode({ task: 'apply', file: 'deploy/small.runhook.json' }), 1);
        assert.equal(asked, 1);
      } finally {
        await command('useServiceAccount', { projectId, serviceAccountId: ci.id });
      }
    });
  });

  describe('and run an app', () => {
    const greet = { task: 'run', payload: 'greet.payload.json', app: 'hello' };

    it('with a payload that the user agrees to, and open nothing', async () => {
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
      const before = tabs();
      await answerPrompts(true);
      assert.equal(await exitCode(greet), 0);
      assert.equal(tabs(), before);
      assert.equal(await exitCode({ ...greet, app: 'nobody' }), 1);
      await answerPrompts(true);
      assert.equal(await exitCode({ ...greet, app: 'fail' }), 1);
    });

    it('and wait for its delivery, which has to verify', async () => {
      const waits = { ...greet, waitForDelivery: true, timeoutSeconds: 100 };
      // Its result goes to the listener too, which the user was not asked yet.
      await answerPrompts(true);
      assert.equal(await exitCode(waits), 0);
      assert.equal((await deliveries())[0]?.verdict, 'verified');
      await command('setSandboxFaults', { faults: ['bad-signature'] });
      // The editor takes two tasks of one definition for the same.
      assert.equal(await exitCode({ ...waits, timeoutSeconds: 99 }), 1);
      assert.equal((await deliveries())[0]?.verdict, 'mismatch');
    });

    it('until they are ended', async () => {
      const gone = Promise.withResolvers<undefined>();
      app.otherwise = (request) => request.socket.once('close', () => gone.resolve(undefined));
      await writeTasksJson([{ label: 'slow', type: 'runhook', ...greet, app: 'slow' }]);
      await answerPrompts(true);
      await startTask(await findTask('slow'));
      await app.count(1);
      await endTask('slow');
      await gone.promise;
    });
  });

  it('and send a fixture, which has to be taken', async () => {
    await command('sendTestDelivery');
    const [delivery] = await eventually(async () => {
      const all = await deliveries();
      return all.length > 0 ? all : undefined;
    });
    const saved = vscode.Uri.parse(await command<string>('saveDeliveryAsFixture', { id: delivery!.id }));
    files.push(saved);
    const fixture = vscode.workspace.asRelativePath(saved);
    assert.equal(await exitCode({ task: 'send', fixture, to: app.url }), 0);
    assert.deepEqual(app.received[0]?.body.toString(), delivery!.body);
    app.otherwise = 500;
    assert.equal(await exitCode({ task: 'send', fixture, to: app.url }), 1);
  });
});
