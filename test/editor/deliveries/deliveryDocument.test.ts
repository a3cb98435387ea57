import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DeliveryLenses } from '../../../src/editor/deliveries/deliveryLenses.ts';
import { shownIn } from '../../../src/editor/deliveries/deliveryUri.ts';
import type { Listener } from '../../../src/editor/listener/feature.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { command, deliveries, eventually, setSetting } from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

describe('the document of a delivery', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let app: Receiver;
  let older: Delivery;
  let delivery: Delivery;
  let document: vscode.TextDocument;

  before(async () => {
    app = await Receiver.start();
    app.behaviours = [500, 500];
    await setSetting('listener.forwardTo', app.url);
    const { projectId } = await command<{ projectId: string }>('startSandbox', {});
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    const delivered = async (): Promise<Delivery> => {
      const run = { projectId, appName: 'echo', body: {}, webhook: true, quiet: true };
      const { runId } = await command<{ runId: string }>('runApp', run);
      return eventually(async () =>
        (await deliveries()).find((one) => one.runId === runId && one.appName && one.forward),
      );
    };
    older = await delivered();
    delivery = await delivered();
  });

  beforeEach(async () => {
    await command('openDelivery', { id: delivery.id });
    ({ document } = vscode.window.activeTextEditor!);
    assert.deepEqual(shownIn(document.uri), { id: delivery.id, part: 'delivery' });
  });

  after(async () => {
    await setSetting('listener.forwardTo', undefined);
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('stopSandbox');
    await app.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says so where the delivery is no longer kept: the editor would offer to create the file', async () => {
    const gone = document.uri.with({ path: document.uri.path.replace(delivery.id, 'gone-1') });
    const shown = await vscode.workspace.openTextDocument(gone);
    assert.equal(shown.languageId, 'json');
    assert.equal(shown.getText(), '"This delivery is no longer kept."');
    assert.deepEqual(await codeLenses(gone), []);
    const draft = gone.with({ path: gone.path.replace('/delivery/', '/draft/') });
    await assert.rejects(async () => vscode.workspace.openTextDocument(draft));
  });

  const lenses = () => codeLenses(document.uri);
  /** Clicks the one with this title. */
  async function click<T>(title: string): Promise<T> {
    const lens = (await lenses()).find((one) => one.title === title);
    assert.ok(lens, title);
    return vscode.commands.executeCommand<T>(lens.command, ...(lens.arguments as unknown[]));
  }
  const explained = () =>
    waitFor('the explanation', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Explain '),
    );

  it('says at its top what became of it, and what can be done', async () => {
    const shown = await lenses();
    assert.equal(shown[0]?.tooltip, '500 from your handler');
    assert.deepEqual(
      shown.map(({ title }) => title),
      [
        '$(warning) 500 from your handler',
        '$(debug-restart) Replay',
        '$(question) Explain',
        '$(debug-alt) Debug',
      ],
    );
  });

  it('is explained beside it', async () => {
    await click('$(question) Explain');
    await explained();
    const tabs = vscode.window.tabGroups.activeTabGroup.tabs.map(({ input }) => input);
    const isOpen = tabs.some(
      (one) => one instanceof vscode.TabInputText && one.uri.toString() === document.uri.toString(),
    );
    assert.ok(isOpen, 'the explanation has not taken its place');
  });

  it('has tabs that tell it from others', async () => {
    const label = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    assert.match(String(label()), /^echo \d.*\d:\d\d\b/);
    const name = label();
    await click('$(question) Explain');
    // The tab of a page gets its name a moment later. There is one for all, so that the app says enough.
    await eventually(() => /^Explain echo \d\d:\d\d:\d\d$/.test(label() ?? '') || undefined);
    await command('openDeliveryBody', { id: delivery.id });
    assert.equal(label(), `Body of ${name}`);
  });

  it('has its headers folded when it is opened, behind the body', async () => {
    const lines = document.getText().split('\n');
    assert.equal(lines[1], '  "body": {');
    const headers = lines.indexOf('  "headers": {');
    await eventually(() =>
      vscode.window.activeTextEditor!.visibleRanges.find(({ end }) => end.line === headers),
    );
  });

  it('leads to what the app answered, where that failed', async () => {
    await click('$(warning) 500 from your handler');
    await eventually(() =>
      vscode.window.activeTextEditor?.document.getText().startsWith('500 ') === true ? true : undefined,
    );
    await command('openDelivery', { id: delivery.id });
  });

  it('is what the menus of its editor are about', async () => {
    const inMenu = (name: string) =>
      vscode.commands.executeCommand(`runhook.${name}`, document.uri, { groupId: 0 });
    assert.match(String(await inMenu('copyDeliveryAsCurl')), new RegExp(String(delivery.runId)));
    assert.deepEqual(await inMenu('compareWithPrevious'), { ids: [older.id, delivery.id] });
    await inMenu('explainDelivery');
    await explained();
  });

  it('is replayed as its row is, and says so: then there is nothing to explain', async () => {
    const { status } = await click<{ status: number }>('$(debug-restart) Replay');
    assert.equal(status, 200);
    const outcome = await eventually(async () =>
      (await lenses()).find(({ title }) => /^\$\(pass\) 200 · /.test(title)),
    );
    assert.equal(outcome.command, '');
  });

  it('has its top asked for again when that delivery changes, and when no other does', async () => {
    const changed = new vscode.EventEmitter<Delivery>();
    const get = (id: string) =>
      id === delivery.id ? Promise.resolve(delivery) : Promise.reject(new Error('It is not kept.'));
    const cleared = new vscode.EventEmitter<void>();
    const provider = new DeliveryLenses({
      onDidChangeDelivery: changed.event,
      onDidClear: cleared.event,
      get,
    } as unknown as Listener);
    let times = 0;
    const counting = provider.onDidChangeCodeLenses(() => (times += 1));
    try {
      changed.fire(deliveryOf('another'));
      assert.equal(times, 0);
      changed.fire(delivery);
      assert.equal(times, 1);
      cleared.fire();
      assert.equal(times, 2);
      assert.equal((await provider.provideCodeLenses(document)).length, 4);
      const gone = { uri: document.uri.with({ path: '/runhook/gone/delivery/a' }) } as vscode.TextDocument;
      assert.deepEqual(await provider.provideCodeLenses(gone), []);
    } finally {
      vscode.Disposable.from(counting, provider, changed, cleared).dispose();
    }
  });

  it('says that the delivery is no longer kept once all are cleared', async () => {
    await vscode.window.showTextDocument(document);
    await command('clearDeliveries', {});
    await eventually(() => document.getText() === '"This delivery is no longer kept."' || undefined);
    assert.deepEqual(await lenses(), []);
  });
});
