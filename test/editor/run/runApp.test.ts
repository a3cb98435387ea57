import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { answerPrompts, command, deliveries, eventually, setSetting } from '../../support/editor/inEditor.ts';

interface SandboxInfo {
  projectId: string;
  proxyUrl: string;
  apps: { id: string; name: string }[];
}
interface RunResult {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  id: string;
  runId?: string;
}

const run = (argument: object): Promise<RunResult> => command('runApp', { quiet: true, ...argument });
/** As a keybinding does it, and whoever says nothing of the answer. */
const runSeen = (argument: object): Promise<RunResult> => command('runApp', argument);

describe('runhook.runApp against the sandbox', () => {
  let sandbox: SandboxInfo;
  let app: { projectId: string; appName: string };

  before(async () => {
    sandbox = await command('startSandbox');
    app = { projectId: sandbox.projectId, appName: 'echo' };
  });
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('returns status, headers, the JSON body and the run id', async () => {
    const result = await run({ ...app, body: { text: 'hé' } });
    assert.equal(result.status, 200);
    assert.match(result.headers['content-type'] ?? '', /json/);
    assert.match(JSON.stringify(result.body), /hé/);
    assert.equal(typeof result.runId, 'string');
  });

  it('opens its answer beside what is there, which keeps the focus', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const front = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument());
    const { id } = await runSeen({ ...app, body: { seen: 'by the user' } });
    const shown = await eventually(() =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.query === id),
    );
    await eventually(() => (/seen.*by the user/.test(shown.document.getText()) ? true : undefined));
    assert.notEqual(shown.viewColumn, front.viewColumn);
    assert.equal(vscode.window.activeTextEditor?.document, front.document);
  });

  it('opens its answer where a delivery is in front, in no column of its own', async () => {
    const { runId } = await run({ ...app, webhook: true });
    const delivery = await eventually(async () => (await deliveries()).find((one) => one.runId === runId));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('openDelivery', { id: delivery.id });
    const { id } = await runSeen(app);
    await eventually(() => openAnswers().find((query) => query === id));
    assert.equal(vscode.window.tabGroups.all.length, 1);
  });

  it('gives all of an answer of which only the beginning is shown', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    const { body } = await runSeen({ ...app, body: { text } });
    assert.ok(JSON.stringify(body).includes(text));
  });

  it('opens nothing where it is to be quiet', async () => {
    const { id } = await run(app);
    // A run that is shown has opened its answer by then: it is sent after the other.
    const next = await runSeen(app);
    await eventually(() => openAnswers().find((query) => query === next.id));
    assert.ok(!openAnswers().includes(id));
  });

  it('is cancelled by the caller that gave a signal, shown or not', async () => {
    for (const quiet of [true, false]) {
      const abort = new AbortController();
      const sleeping = run({ ...app, appName: 'sleep', body: { seconds: 60 }, quiet, signal: abort.signal });
      const rejected = assert.rejects(sleeping);
      setTimeout(() => abort.abort(), 100);
      await rejected;
    }
  });

  it('delivers to the listener, signed with its secret, and the delivery names the run', async () => {
    const { runId } = await run({ ...app, body: { n: 1 }, webhook: true });
    const delivery = await deliveryOf(runId);
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.appName, 'echo');
    assert.equal(delivery.answered, 200);
  });

  it('takes an address as the webhook, with the secret of the listener', async () => {
    const { url } = await command<{ url: string }>('startListener');
    const { runId } = await run({ ...app, webhook: `${url}given?a=b%20c&d=1` });
    const delivery = await deliveryOf(runId);
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.path, '/given?a=b%20c&d=1');
  });

  const rejected: [string, object, RegExp][] = [
    ['an unknown app', { appName: 'nobody' }, /nobody/],
    ['a websocket', { webhook: 'wss://me.example/hook' }, /HTTP requests only/],
    ['a websocket at this machine', { webhook: 'ws://127.0.0.1:1/' }, /HTTP requests only/],
    ['an address that is none', { webhook: 'hook' }, /not an http or https address/],
    ['a path out of the app', { path: '../other/run' }, /leaves the app/],
  ];
  for (const [what, part, reason] of rejected) {
    it(`rejects ${what}`, async () => {
      await assert.rejects(run({ ...app, ...part }), reason);
    });
  }

  it('asks first under prod, and for a token that is missing', async () => {
    const project = {
      id: 'p-prod',
      serviceAccounts: [{ id: 'sa', environment: 'prod' }],
      apps: [{ id: 'hello' }],
    };
    await setting('proxyUrl', sandbox.proxyUrl);
    await setting('baseUrl', sandbox.proxyUrl);
    await command('addProject', project);
    try {
      const call = { projectId: 'p-prod', appName: 'hello' };
      await answerPrompts(false);
      await assert.rejects(run(call), /Run hello was not confirmed/);
      await answerPrompts(undefined);
      await assert.rejects(run({ ...call, confirmed: true }), /No token is stored/);
    } finally {
      await command('removeProject', { projectId: 'p-prod' });
      await setting('baseUrl', undefined);
      await setting('proxyUrl', undefined);
    }
  });

  it('joins each of 1,000 runs to exactly one delivery, with repeats grouped', async () => {
    await setting('deliveries.keep', 5000);
    await command('clearDeliveries');
    await command('setSandboxFaults', { faults: ['repeat'] });
    try {
      const ids: string[] = [];
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let each = 0; each < 50; each += 1) ids.push((await run({ ...app, webhook: true })).runId!);
        }),
      );
      assert.equal(new Set(ids).size, 1000);
      const all = await eventually(async () => {
        const found = await deliveries();
        return found.length >= 2000 ? found : undefined;
      });
      assert.equal(all.length, 2000);
      const firsts = all.filter(({ repeatOf }) => repeatOf === undefined);
      assert.deepEqual(firsts.map(({ runId }) => runId).sort(), ids.sort());
      assert.ok(all.every(({ verdict, appName }) => verdict === 'verified' && appName === 'echo'));
      const runOf = new Map(firsts.map(({ id, runId }) => [id, runId]));
      const repeats = all.filter(({ repeatOf }) => repeatOf !== undefined);
      assert.ok(repeats.every(({ repeatOf, runId }) => runOf.get(repeatOf!) === runId));
    } finally {
      await command('setSandboxFaults', { faults: [] });
      await setting('deliveries.keep', undefined);
    }
  });

  it('returns the status of an app that fails', async () => {
    const { status } = await run({ ...app, appName: 'fail' });
    assert.ok(status >= 400, String(status));
  });
});

/** The ids of the runs whose answers are in a tab. */
function openAnswers(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.query] : []));
}

async function setting(id: string, value: unknown): Promise<void> {
  await setSetting(id, value);
}

/** The delivery of a run, once it is there. */
async function deliveryOf(runId: string | undefined): Promise<Delivery> {
  assert.ok(runId);
  return eventually(async () => (await deliveries()).find((delivery) => delivery.runId === runId));
}
