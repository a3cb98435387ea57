import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SeriesResult } from '../../../src/editor/run/series/seriesRuns.ts';
import { answerPrompts, command, deliveries, eventually, typeText } from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

interface SandboxInfo {
  projectId: string;
  proxyUrl: string;
}

const runMany = (argument: object): Promise<SeriesResult> =>
  command('runManyTimes', { quiet: true, times: 10, concurrency: 4, ...argument });

/** What the tab of a series shows, once it says that. */
async function table(id: string, said: RegExp): Promise<string> {
  return eventually(() => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.query === id);
    const text = document?.getText() ?? '';
    return said.test(text) ? text : undefined;
  });
}

async function setting(id: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('runhook').update(id, value, vscode.ConfigurationTarget.Global);
}

describe('runhook.runManyTimes against the sandbox', () => {
  let sandbox: SandboxInfo;
  let app: { projectId: string; appName: string };
  let handler: Receiver;
  let ownApp: Receiver;

  before(async () => {
    [handler, ownApp] = await Promise.all([Receiver.start(), Receiver.start()]);
    await setting('sandbox.apps', { mine: ownApp.url });
    sandbox = await command('startSandbox');
    app = { projectId: sandbox.projectId, appName: 'echo' };
  });
  afterEach(async () => {
    await command('setSandboxFaults', { faults: [] });
    await setting('listener.forwardTo', undefined);
    handler.behaviours = [];
    ownApp.behaviours = [];
    await answerPrompts();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
    await setting('sandbox.apps', undefined);
    await Promise.all([handler.close(), ownApp.close()]);
  });

  it('counts what was answered, delivered, verified and taken by the app, and repeats', async () => {
    await setting('listener.forwardTo', handler.url);
    handler.behaviours = [500, 500];
    await command('setSandboxFaults', { faults: ['repeat'] });
    const result = await runMany({ ...app, webhook: true, body: { text: 'hé' } });
    const { started, answered, delivered, takenByApp, runIds } = result;
    assert.deepEqual([started, answered.count, answered.byStatus[200]?.count], [10, 10, 10]);
    assert.deepEqual([delivered.count, delivered.byVerdict], [10, { verified: 10 }]);
    assert.deepEqual([takenByApp.count + (takenByApp.byStatus[500] ?? 0), result.notWaited], [10, undefined]);
    assert.ok(answered.p50Ms! <= answered.p95Ms! && delivered.p50Ms! <= delivered.p95Ms!);
    assert.equal(new Set(runIds).size, 10);
    const all = await eventually(async () => {
      const found = (await deliveries()).filter(({ runId }) => runIds.includes(runId ?? ''));
      return found.length === 20 ? found : undefined;
    });
    assert.ok(all.every(({ body }) => body.includes('hé')));
    await command('showDeliveriesOfRuns', { id: result.id });
    await command('clearDeliveryFilter');
  });

  it('counts answers by status: nothing is sent again', async () => {
    const before = ownApp.received.length;
    ownApp.behaviours = [429, 503, 503];
    const { answered, delivered } = await runMany({ ...app, appName: 'mine', times: 8 });
    const counts = Object.entries(answered.byStatus).map(([status, { count }]) => [status, count]);
    assert.deepEqual(counts, [
      ['200', 5],
      ['429', 1],
      ['503', 2],
    ]);
    assert.equal(delivered.count, 0);
    assert.equal(ownApp.received.length - before, 8);
  });

  it('stands 100 runs at a time, with a slow app behind the listener', async () => {
    await setting('listener.forwardTo', handler.url);
    handler.behaviours = Array.from({ length: 100 }, () => (_, response) => {
      setTimeout(() => response.end(), 50);
    });
    const call = { ...app, webhook: true, times: 100, concurrency: 20, waitForDeliveries: 120 };
    const { answered, delivered, takenByApp, notWaited } = await runMany(call);
    assert.deepEqual([answered.count, delivered.count, takenByApp.count], [100, 100, 100]);
    assert.equal(notWaited, undefined);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual(tabs, []);
  });

  it('says what it cannot be given', async () => {
    await assert.rejects(runMany({ ...app, times: 1 }), /"times" must be 2 or more/);
    await assert.rejects(runMany({ ...app, times: 101 }), /"times" must be 100 or less/);
    await assert.rejects(runMany({ ...app, concurrency: 21 }), /"concurrency" must be 20 or less/);
    await assert.rejects(runMany({ ...app, times: 2.5 }), /"times" must be a whole number/);
    await assert.rejects(runMany({ id: 'nothing' }), /no such run/);
  });

  it('asks how often and how many at once, and remembers it', async () => {
    const { id } = await command<{ id: string }>('runApp', { ...app, quiet: true });
    await answerPrompts('1');
    await assert.rejects(command('runManyTimes', { id }), /whole number from 2 to 100/);
    await answerPrompts('3', '2');
    const first = await command<SeriesResult>('runManyTimes', { id, quiet: true });
    assert.deepEqual([first.times, first.concurrency], [3, 2]);
    await answerPrompts({ kept: true }, { kept: true });
    const again = await command<SeriesResult>('runManyTimes', { id: first.id, quiet: true });
    assert.deepEqual([again.times, again.concurrency, again.answered.count], [3, 2, 3]);
    await answerPrompts(undefined);
    assert.equal(await command('runManyTimes', { id }), undefined);
  });

  it('shows a table that fills, with links, and leaves the runs in the history', async () => {
    const { id } = await command<SeriesResult>('runManyTimes', { ...app, webhook: true, times: 3 });
    const text = await table(id, /^All 3 runs have ended$/m);
    assert.match(text, /^echo: 3 runs, 3 at once · POST run\n/);
    assert.match(text, /^· verified +3$/m);
    const { uri } = vscode.workspace.textDocuments.find((one) => one.uri.query === id)!;
    const titles = (await codeLenses(uri)).map(({ title }) => title.replace(/^\$\(.*?\) /, ''));
    assert.deepEqual(titles, ['Run 3 Times Again', 'Show Deliveries of These Runs']);
    assert.equal(await command('cancelRun'), 0);
  });

  it('stops what is under way when it is cancelled, and tells what was done', async () => {
    const abort = new AbortController();
    // Those that were answered still wait for their deliveries then.
    await command('setSandboxFaults', { faults: ['hang'] });
    ownApp.behaviours = [200, 200, ...Array<'hang'>(10).fill('hang')];
    const before = ownApp.received.length;
    const running = runMany({ ...app, appName: 'mine', concurrency: 2, signal: abort.signal, webhook: true });
    await ownApp.count(before + 4);
    abort.abort();
    const { started, answered, cancelled, notWaited } = await running;
    assert.deepEqual([started, answered.count, cancelled], [4, 2, 2]);
    assert.match(notWaited ?? '', /not waited for/);
  });

  it('is cancelled by Cancel Run, also while it waits for deliveries', async () => {
    await command('setSandboxFaults', { faults: ['hang'] });
    const running = runMany({ ...app, webhook: true, times: 2, quiet: false });
    const waiting = await eventually(() =>
      vscode.workspace.textDocuments.find((one) => one.getText().includes('Waiting for the deliveries')),
    );
    assert.equal(await command('cancelRun', { id: waiting.uri.query }), 1);
    const { notWaited, answered } = await running;
    assert.equal(answered.count, 2);
    assert.match(notWaited ?? '', /not waited for any longer/);
  });

  it('begins nothing where it is cancelled at once', async () => {
    await assert.rejects(runMany({ ...app, signal: AbortSignal.abort() }));
  });

  it('asks once under prod, with the number, and once for the token, and stops where that is refused', async () => {
    const project = {
      id: 'p-prod',
      serviceAccounts: [{ id: 'sa', environment: 'prod' }],
      apps: [{ id: 'hello' }],
    };
    await setting('proxyUrl', sandbox.proxyUrl);
    await setting('baseUrl', sandbox.proxyUrl);
    await command('addProject', project);
    const asked: string[] = [];
    const note = (answer: unknown) => (question: string, _: string, verb: string) => {
      asked.push(`${question} ${verb}`.trim());
      return answer;
    };
    try {
      const call = { projectId: 'p-prod', appName: 'hello', concurrency: 1 };
      await answerPrompts(note(false));
      assert.equal(await runMany(call), undefined);
      await answerPrompts(note(true), note('not-a-token-of-the-sandbox'));
      const { started, answered, times } = await runMany(call);
      assert.deepEqual([started, answered.byStatus[401]?.count, times], [1, 1, 10]);
      assert.equal(asked[0], 'Run hello 10 times in prod? Run 10 Times');
      assert.equal(asked[1], asked[0]);
      assert.equal(asked.length, 3);
    } finally {
      await command('removeProject', { projectId: 'p-prod' });
      await setting('baseUrl', undefined);
      await setting('proxyUrl', undefined);
    }
  });

  it('runs the payload in front, as that says', async () => {
    const uri = vscode.Uri.parse(await command<string>('openPayload', { ...app, name: 'many' }));
    try {
      // Typed: the editor can miss that the file of a document changes on the disk while it opens it.
      await typeText(uri, '{"$runhook": {"webhook": false}, "n": 1}');
      await vscode.window.showTextDocument(uri);
      await answerPrompts('2', '2');
      const result = await command<SeriesResult>('runManyTimes');
      assert.deepEqual([result.times, result.answered.count], [2, 2]);
      const text = await table(result.id, /^All 2 runs have ended$/m);
      assert.doesNotMatch(text, /^Delivered/m);
    } finally {
      await command('deletePayload', { ...app, name: 'many', confirmed: true });
    }
  });
});

describe('runhook.runManyTimes where the service goes', () => {
  it('counts what failed by its reason, and waits for nothing', async () => {
    const ownApp = await Receiver.start();
    await setting('sandbox.apps', { mine: ownApp.url });
    const { projectId } = await command<SandboxInfo>('startSandbox');
    try {
      ownApp.behaviours = [200, 200];
      ownApp.otherwise = 'hang';
      const running = runMany({ projectId, appName: 'mine', times: 6, concurrency: 2 });
      await ownApp.count(4);
      await command('stopSandbox');
      const { answered, failed, started, cancelled } = await running;
      assert.deepEqual([answered.count, failed.count, started, cancelled], [2, 4, 6, 0]);
      assert.ok(Object.keys(failed.byReason).every((reason) => reason !== ''));
    } finally {
      await setting('sandbox.apps', undefined);
      await ownApp.close();
    }
  });
});
