import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../src/api.ts';
import type { DeliveryFilter } from '../../src/deliveries/deliveryFilter.ts';
import { runWork } from '../../src/editor/tasks/callTasks.ts';
import { offeredTasks } from '../../src/editor/tasks/feature.ts';
import type { Sandbox } from '../../src/editor/sandbox/feature.ts';
import {
  type Background,
  backgroundWork,
  sandboxWork,
  TaskTerminal,
  type TaskWork,
} from '../../src/editor/tasks/backgroundTasks.ts';
import type { WebhookAttempt } from '../../src/service/webhookAttempt.ts';
import { systemClock } from '../../src/shared/async/clock.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import { answerPrompts, command, deliveries, eventually, setSetting } from '../support/editor/inEditor.ts';
import { endTask, findTask, startTask, writeTasksJson } from '../support/editor/taskRuns.ts';
import { Receiver } from '../support/http/receiver.ts';
import { countSearches } from '../support/editor/searches.ts';

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

interface StartedSandbox {
  projectId: string;
  serviceAccounts: { id: string; environment: string }[];
}

describe('tasks that end by themselves', () => {
  let sandbox: StartedSandbox;
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
    sandbox = await command<StartedSandbox>('startSandbox');
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
    const greet = { task: 'run', payload: 'greet.payload.json', app: 'hello' } as const;

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

    it('and say why it does not match as its row does, which knows the response of the run', async () => {
      const delivery = deliveryOf('d-1', { verdict: 'mismatch', reason: 'secret or body differs' });
      const never = () => new vscode.Disposable(() => undefined);
      const listener = {
        state: { kind: 'listening', port: 1, url: 'http://127.0.0.1:1/' } as const,
        ...{ onDidChangeState: never, onDidReceiveDelivery: never, onDidChangeDelivery: never },
        page: (filter: DeliveryFilter) =>
          Promise.resolve({ deliveries: [{ ...delivery, runId: String(filter.run) }], hasMore: false }),
        whole: () => Promise.resolve(delivery),
      };
      const task = { ...greet, waitForDelivery: true, webhook: false, timeoutSeconds: 100 } as const;
      const said = async (explained: Promise<{ reason?: string }>) => {
        const explainer = { delivery: () => explained };
        const runs = { all: () => [], onDidChange: never };
        await answerPrompts(true);
        const { text, code } = opened(runWork(task, { listener, runs, explainer, clock: systemClock }));
        assert.equal(await code, 1);
        return text().trimEnd();
      };
      const reason = 'body changed: byte 1 is "a", and "b" in the run\'s response';
      assert.ok((await said(Promise.resolve({ reason }))).endsWith(`  ${reason}`));
      assert.ok((await said(Promise.reject(new Error('no')))).endsWith('  secret or body differs'));
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

describe('the task that serves the sandbox', () => {
  const attempted = new vscode.EventEmitter<WebhookAttempt>();
  const changed = new vscode.EventEmitter<never>();
  after(() => {
    attempted.dispose();
    changed.dispose();
  });

  const attempt = (requestId: string, status: number): WebhookAttempt => ({
    ...{ runId: 'run-1', appName: 'echo', requestId, to: 'http://127.0.0.1:3000/', status },
    ...{ at: '2026-11-20T12:00:00.000Z', number: 1, durationMs: 2, outcome: 'delivered' },
  });

  it('writes a line for each attempt, two of one run at once too', async () => {
    const address = { baseUrl: 'http://127.0.0.1:4100', projectId: 'p-sandbox', apps: [] };
    const sandbox = {
      state: { kind: 'running', address },
      onDidChangeState: changed.event,
      onDidAttempt: attempted.event,
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    } as unknown as Sandbox;
    const written: string[] = [];
    const abort = new AbortController();
    const ended = sandboxWork(sandbox)({
      write: (lines) => void written.push(...lines),
      signal: abort.signal,
    });
    await new Promise((resolve) => setImmediate(resolve));
    attempted.fire(attempt('first', 201));
    attempted.fire(attempt('second', 202));
    abort.abort();
    assert.equal(await ended, true);
    const lines = written.flatMap((line) => /echo {2}run-1 .* (20\d) /.exec(line)?.[1] ?? []);
    assert.deepEqual(lines, ['201', '202']);
  });
});

/** Opens a terminal of a task, as the editor does. */
function opened(work: TaskWork): { terminal: TaskTerminal; text: () => string; code: Promise<number> } {
  const terminal = new TaskTerminal(work, (error) => (error as Error).message);
  let text = '';
  terminal.onDidWrite((more) => (text += more));
  const code = new Promise<number>((resolve) => {
    terminal.onDidClose(resolve);
  });
  terminal.open();
  return { terminal, text: () => text, code };
}

describe('the terminal of a task', () => {
  it('shows lines that nobody can break, and ends with 0 or 1', async () => {
    const well = opened(({ write }) => {
      write(['one\r\nforged', '\u001b[31mred']);
      return Promise.resolve(true);
    });
    assert.equal(await well.code, 0);
    assert.equal(well.text(), 'one··forged\r\n·[31mred\r\n');
    assert.equal(await opened(() => Promise.resolve(false)).code, 1);
  });

  it('has the colours of the output panel for a delivery', async () => {
    const lines = [
      '12:04:11.203  ✓ verified   hello  run-1  200  → localhost:3000 500 in 7 ms: kept',
      '12:04:15.330  ✗ mismatch   hello  run-2  401',
      '12:04:18.330    of 12:04:15.100  → localhost:3000 500 in 3.1 s: kept',
    ];
    const { text, code } = opened(({ write }) => {
      write(lines);
      return Promise.resolve(true);
    });
    await code;
    const [failed = '', refused = '', late = ''] = text().split('\r\n');
    assert.ok(failed.includes('\u001b[32m✓ verified\u001b[0m'), failed);
    assert.ok(failed.endsWith('\u001b[31m→ localhost:3000 500 in 7 ms: kept\u001b[0m'), failed);
    assert.ok(refused.includes('\u001b[31m✗ mismatch\u001b[0m'), refused);
    assert.ok(late.endsWith('\u001b[31m→ localhost:3000 500 in 3.1 s: kept\u001b[0m'), late);
  });

  it('says why it failed', async () => {
    const failed = opened(() => Promise.reject(new Error('There is no such app.')));
    assert.equal(await failed.code, 1);
    assert.equal(failed.text(), '\u001b[31mThere is no such app.\u001b[0m\r\n');
  });

  it('is ended by Ctrl+C, and by no other key', async () => {
    const signals: AbortSignal[] = [];
    const { terminal, text, code } = opened(({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    });
    terminal.handleInput('x');
    assert.equal(signals[0]?.aborted, false);
    terminal.handleInput('\x03');
    assert.equal(await code, 1);
    assert.equal(text(), 'Cancelled.\r\n');
  });
});

describe('what a task starts in the background', () => {
  type State = { kind: 'stopped' } | { kind: 'running'; at: string } | { kind: 'failed'; reason: string };
  const changed = new vscode.EventEmitter<State>();
  let state: State;
  const set = (next: State): void => {
    state = next;
    changed.fire(next);
  };
  const background: Background<State> = {
    get state() {
      return state;
    },
    onDidChangeState: changed.event,
    start: () => {
      if (state.kind !== 'running') set({ kind: 'running', at: 'here' });
      return Promise.resolve();
    },
    stop: () => {
      set({ kind: 'stopped' });
      return Promise.resolve();
    },
  };
  const linesOf = (of: State): string[] =>
    of.kind === 'running' ? [`runs ${of.at}`] : [of.kind === 'failed' ? of.reason : 'stopped'];
  const follow = () => ({ dispose: () => undefined });
  const work = (more: Partial<Parameters<typeof backgroundWork<State>>[0]> = {}): TaskWork =>
    backgroundWork({ background, starting: 'Starting', goesOn: 'It goes on.', linesOf, follow, ...more });
  const { endsPattern, beginsPattern } = {
    ...(
      vscode.extensions.getExtension<unknown>('runhook.runhook')!.packageJSON as {
        contributes: { problemMatchers: { background: Record<'beginsPattern' | 'endsPattern', string> }[] };
      }
    ).contributes.problemMatchers[0]!.background,
  };
  after(() => changed.dispose());

  it('is ready by the lines that the problem matcher looks for, and stops with the task', async () => {
    state = { kind: 'stopped' };
    const { terminal, text, code } = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'running', at: 'here' });
    set({ kind: 'running', at: 'there' });
    const lines = text().trimEnd().split('\r\n');
    assert.deepEqual(lines, ['○ Starting', '● runs here', '● runs there']);
    assert.match(lines[0]!, new RegExp(beginsPattern));
    assert.match(lines[1]!, new RegExp(endsPattern));
    terminal.handleInput('\x03');
    assert.equal(await code, 0);
    assert.equal(state.kind, 'stopped');
    assert.match(text(), /● runs there\r\nstopped\r\n$/);
  });

  it('is left alone where it ran before', async () => {
    state = { kind: 'running', at: 'here' };
    const { terminal, text, code } = opened(work());
    await new Promise(setImmediate);
    terminal.handleInput('\x03');
    assert.equal(await code, 0);
    assert.equal(state.kind, 'running');
    assert.match(text(), /It goes on\.\r\n$/);
  });

  it('is left alone where that is seen only after a look', async () => {
    state = { kind: 'stopped' };
    const look = () => {
      set({ kind: 'running', at: 'another window' });
      return Promise.resolve();
    };
    const { terminal, code } = opened(work({ look }));
    await new Promise(setImmediate);
    terminal.close();
    assert.equal(await code, 0);
    assert.equal(state.kind, 'running');
  });

  it('ends the task with it: well where it was stopped, and else not', async () => {
    state = { kind: 'stopped' };
    const stopped = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'stopped' });
    assert.equal(await stopped.code, 0);
    const failed = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'failed', reason: 'It broke.' });
    assert.equal(await failed.code, 1);
    assert.match(failed.text(), /It broke\.\r\n$/);
  });

  it('fails the task where it does not start', async () => {
    state = { kind: 'stopped' };
    const start = () => Promise.reject(new Error('The port is taken.'));
    const { text, code } = opened(work({ background: { ...background, state, start } }));
    assert.equal(await code, 1);
    assert.ok(text().endsWith('\u001b[31mThe port is taken.\u001b[0m\r\n'), text());
  });
});

describe('a tasks.json', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeTasksJson([]);
  });

  it('is completed: what a task does, and what it takes', async () => {
    await writeTasksJson([{ label: 'some', type: 'runhook', task: 'listen' }]);
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder, '.vscode', 'tasks.json'),
    );
    /** What is offered behind that text. */
    const offered = async (behind: string): Promise<string[]> => {
      const at = document.positionAt(document.getText().indexOf(behind) + behind.length);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const includes = (behind: string, all: readonly string[]) =>
      eventually(async () => {
        const found = await offered(behind);
        return all.every((one) => found.includes(one)) ? true : undefined;
      });
    assert.ok(await includes('"task":"', ['"listen"', '"sandbox"', '"apply"', '"run"', '"send"']));
    assert.ok(await includes('{', ['version']));
    assert.ok(await includes('"runhook",', ['payload', 'waitForDelivery', 'fixture', 'to', 'file']));
  });
});
