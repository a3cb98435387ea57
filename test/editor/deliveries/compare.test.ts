import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  expectMessage,
} from '../../support/editor/inEditor.ts';

const secret = 'the secret of the comparison';

describe('a comparison of two deliveries', () => {
  let url: string;
  let projectId: string;

  before(async () => {
    ({ projectId } = await command<{ projectId: string }>('startSandbox', {}));
    await command('setWebhookSecret', { secret });
    ({ url } = await command<{ url: string }>('startListener', { port: 0 }));
  });

  beforeEach(() => command('clearDeliveries', {}));

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('stopSandbox');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** What is shown beside each other in front. */
  function tab(): vscode.Tab & { input: vscode.TabInputTextDiff } {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(active?.input instanceof vscode.TabInputTextDiff, 'no comparison is in front');
    return active as vscode.Tab & { input: vscode.TabInputTextDiff };
  }
  async function texts(): Promise<[string, string]> {
    const { original, modified } = tab().input;
    const read = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    return [await read(original), await read(modified)];
  }
  /** Sends a body as a stranger does. Returns the delivery that it has become. */
  async function sent(body: string | Buffer, headers: Record<string, string> = {}): Promise<Delivery> {
    await fetch(url, { method: 'POST', body: body as string | Buffer<ArrayBuffer>, headers });
    const [newest] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    assert.ok(newest);
    return newest;
  }
  /** Runs an app of the sandbox and waits for its delivery. */
  async function delivered(appName: string, body: object): Promise<Delivery> {
    const { runId } = await command<{ runId: string }>('runApp', {
      projectId,
      appName,
      body,
      webhook: true,
      quiet: true,
    });
    return eventually(async () =>
      (await deliveries()).find((one) => one.runId === runId && one.appName === appName),
    );
  }

  it('shows both read-only, with the keys of the second in the order of the first', async () => {
    const first = await sent('{"b":1,"a":{"y":1,"x":12345678901234567890}}', { 'x-one': '1' });
    const second = await sent('{"a":{"x":12345678901234567891,"y":1},"b":1}', { 'x-two': '2' });
    const compared = await command('compareDeliveries', { ids: [first.id, second.id] });
    assert.deepEqual(compared, { ids: [first.id, second.id] });
    const [left, right] = await texts();
    const of = (text: string): string => /"body": [^]*?\n {2}\}/.exec(text)?.[0] ?? '';
    assert.match(left, /"x-one": "1"/);
    assert.match(right, /"x-two": "2"/);
    assert.equal(
      of(left),
      '"body": {\n    "b": 1,\n    "a": {\n      "y": 1,\n      "x": 12345678901234567890\n    }\n  }',
    );
    assert.equal(of(right), of(left).replace('67890\n', '67891\n'));
    for (const uri of [tab().input.original, tab().input.modified]) {
      const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
      assert.ok(permissions & vscode.FilePermission.Readonly);
    }
    assert.match(tab().label, / ↔ /);
  });

  it('with the previous takes the newest older one of the same app', async () => {
    const older = await delivered('echo', { n: 1 });
    await delivered('hello', { n: 2 });
    const newer = await delivered('echo', { n: 3 });
    const last = await delivered('echo', { n: 4 });
    assert.deepEqual(await command('compareDeliveries', { id: newer.id }), { ids: [older.id, newer.id] });
    const [left, right] = await texts();
    assert.deepEqual([/"n": \d/.exec(left)?.[0], /"n": \d/.exec(right)?.[0]], ['"n": 1', '"n": 3']);
    assert.match(tab().label, /^echo .* ↔ echo /);
    // As a row of the view hands it over.
    await vscode.commands.executeCommand('runhook.compareWithPrevious', { argument: { id: last.id } });
    assert.equal(tab().input.original.path.split('/')[2], newer.id);
    await assert.rejects(
      command('compareDeliveries', { id: older.id }),
      /This is the first delivery of echo/,
    );
  });

  it('asks for the two where none is named', async () => {
    const one = await delivered('echo', { n: 1 });
    const other = await delivered('hello', { n: 2 });
    await answerPrompts('echo', 'hello');
    assert.deepEqual(await command('compareDeliveries'), { ids: [one.id, other.id] });
  });

  it('offers as the second no delivery that is the first', async () => {
    await delivered('echo', { n: 1 });
    await answerPrompts('echo');
    await expectMessage(command('compareDeliveries'), /There is no other delivery/);
  });

  it('says what is wrong where there is no such delivery, none before it, or not two', async () => {
    const { id } = await sent('{}');
    const { id: other } = await sent('[]');
    const fails = (argument: object, why: RegExp) =>
      assert.rejects(command('compareDeliveries', argument), why);
    await fails({ ids: [id, 'none'] }, /There is no delivery none/);
    await fails({ id: 'none' }, /There is no delivery none/);
    await fails({ id }, /The app of this delivery is not known/);
    for (const ids of [[], [id], [id, id], [id, other, id]])
      await fails({ ids }, /Select two different deliveries/);
  });

  it('holds no credential and no secret', async () => {
    const headers = { authorization: 'Bearer very-much-mine', cookie: 'session=mine', 'x-echo': secret };
    const first = await sent(JSON.stringify({ echo: secret }), headers);
    const second = await sent(`text\n${secret}`, headers);
    await command('compareDeliveries', { ids: [first.id, second.id] });
    for (const text of await texts()) {
      assert.match(text, /"x-echo": "•+"/);
      assert.doesNotMatch(text, /mine|the secret of/);
    }
  });

  const mega = 1024 * 1024;
  const hostile: [string, string | Buffer][] = [
    ['a huge list', `[${'1,'.repeat(mega)}1]`],
    ['one huge line', 'x'.repeat(2 * mega)],
    ['very many lines', '\n'.repeat(mega / 4)],
    ['deep JSON', '['.repeat(mega) + ']'.repeat(mega)],
    ['bytes', Buffer.from(Array.from({ length: mega }, (_, at) => (at * 7 + 128) % 256))],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"a":1},"constructor":null}'],
  ];
  describe('with the editor taking no longer than it must', () => {
    // It looks for what differs for 5 s at most, and takes them where much does.
    const diffTime = (ms: number | undefined) =>
      vscode.workspace
        .getConfiguration('diffEditor')
        .update('maxComputationTime', ms, vscode.ConfigurationTarget.Global);
    before(() => diffTime(100));
    after(() => diffTime(undefined));

    for (const [what, body] of hostile) {
      it(`stands ${what}, on either side`, async () => {
        const plain = await sent('{"a":1}');
        const { id } = await sent(body);
        for (const ids of [
          [plain.id, id],
          [id, plain.id],
        ]) {
          await command('compareDeliveries', { ids });
          for (const text of await texts()) assert.doesNotThrow(() => void JSON.parse(text));
        }
      });
    }
  });
});
