import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { command, setSetting } from '../../support/editor/inEditor.ts';

describe("the document of an app's answer", () => {
  let app: Receiver;
  let id: string;
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'stack.js');

  before(async () => {
    await vscode.workspace.fs.writeFile(file, new Uint8Array());
    app = await Receiver.start();
    await setSetting('listener.forwardTo', app.url);
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    app.behaviours = [
      (_, response) => {
        const stack = `Error\n    at a (${file.fsPath}:42:11)\n    at b (${file.fsPath}/../../x.js:1:2)`;
        const text = `{"error":1.0,"stack":${JSON.stringify(`${stack}\n    at c (gone.js:3:4)`)}}`;
        response.writeHead(500, { 'Set-Cookie': 'id=1' }).end(text);
      },
    ];
    await command('sendTestDelivery', { body: { run_id: 'r-1' } });
    ({ id } = await attempts(1));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setSetting('listener.forwardTo', undefined);
    await command('clearDeliveries', {});
    await command('stopListener');
    await app.close();
    await vscode.workspace.fs.delete(file);
  });

  const attempts = (count: number): Promise<Delivery> =>
    waitFor(`${count} attempts`, async () => {
      const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
      return delivery?.attempts?.length === count ? delivery : undefined;
    });
  const shown = () => vscode.window.activeTextEditor!;

  it('opens beside the delivery, to be read only', async () => {
    await command('openDelivery', { id });
    const delivery = shown();
    await command('openAppAnswer', { id });
    const { document, viewColumn } = shown();
    assert.match(document.uri.path, /\/response\/\w+ 500: .+ \d\d:\d\d:\d\d$/);
    assert.equal(viewColumn, delivery.viewColumn! + 1);
    assert.equal(document.languageId, 'runhook-response');
    const text = document.getText();
    assert.match(
      text,
      /^500 Internal Server Error · your handler(?: · [^·\n]+)? · \d+ B · \d+ ms\n\n\{\n {2}"error": 1\.0,\n/,
    );
    assert.match(text, /\n── Headers · \d\n {2}Set-Cookie: ••••••••\n/);
    assert.match(text, /\n── Request · POST http:\/\/127\.0\.0\.1:\d+\/\n {2}.* · forwarded\n$/);
    const { permissions } = await vscode.workspace.fs.stat(document.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('folds headers and request, and links the files of the workspace that a stack names', async () => {
    const { document } = shown();
    const { uri } = document;
    const ask = <T>(what: string, ...takes: unknown[]) =>
      vscode.commands.executeCommand<T>(`vscode.execute${what}`, uri, ...takes);
    const folds = await ask<vscode.FoldingRange[]>('FoldingRangeProvider');
    const folded = folds.filter(({ kind }) => kind === vscode.FoldingRangeKind.Imports);
    assert.deepEqual(
      folded.map(({ start }) => document.lineAt(start).text.split(' ')[1]),
      ['Headers', 'Request'],
    );
    const links = await ask<vscode.DocumentLink[]>('LinkProvider', 100);
    assert.deepEqual(
      links.map(({ target }) => target?.toString()).filter((target) => target?.startsWith('file:')),
      [file.with({ fragment: 'L42,11' }).toString()],
    );
  });

  it('is that of an attempt where one is named, in the place of the other', async () => {
    const column = shown().viewColumn;
    app.behaviours = [(_, response) => response.writeHead(202).end('taken')];
    await command('replayDelivery', { id });
    const [first, last] = (await attempts(2)).attempts ?? [];
    await command('openAppAnswer', { id, at: last!.at });
    assert.match(shown().document.getText(), /^202 Accepted · .*\n\ntaken\n\n──/);
    assert.equal(shown().viewColumn, column);
    await command('openAppAnswer', { id, at: first!.at });
    assert.match(shown().document.getText(), /^500 /);
  });

  it('is compared with the one before, without what differs each time', async () => {
    const [first, last] = (await attempts(2)).attempts ?? [];
    assert.deepEqual(await command('compareResponses', { id }), { at: [first!.at, last!.at] });
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.match(label, /: 500 ↔ 202$/);
    const { original, modified } = input as vscode.TabInputTextDiff;
    const read = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(await read(original), /^500 Internal Server Error\n\n\{[^]*\n {2}Date: …\n/);
    assert.match(await read(modified), /^202 Accepted\n\ntaken\n\n── Headers/);
    await assert.rejects(
      command('compareResponses', { id, at: first!.at }),
      /There is no earlier response to this delivery/,
    );
  });

  it('says why there is none', async () => {
    app.behaviours = ['drop'];
    await assert.rejects(command('replayDelivery', { id }));
    await attempts(3);
    await command('openAppAnswer', { id });
    const text = shown().document.getText();
    assert.match(
      text,
      /^⚠ your handler disconnected · \d+ ms\nIt may have crashed: see what it wrote\.\n\n── Request · POST http/,
    );
    assert.match(text, /\n {2}.* · replayed\n$/);
  });

  it('is refused in words where there can be none', async () => {
    const refused = async (argument: object, message: RegExp) =>
      assert.rejects(command('openAppAnswer', argument), message);
    await refused({ id, at: '2026-01-01T00:00:00.000Z' }, /no longer kept/);
    await setSetting('listener.forwardTo', undefined);
    await command('sendTestDelivery', {});
    const unhanded = await waitFor('another delivery', async () => {
      const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
      return delivery?.id === id ? undefined : delivery;
    });
    await refused({ id: unhanded.id }, /was not sent to your handler/);
    await refused({ id: 'unknown' }, /no delivery unknown/);
  });
});
