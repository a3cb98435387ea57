import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { command, setSetting } from '../../support/editor/inEditor.ts';

describe("the document of an app's answer", () => {
  let app: Receiver;
  let id: string;

  before(async () => {
    app = await Receiver.start();
    await setSetting('listener.forwardTo', app.url);
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    app.behaviours = [
      (_, response) => response.writeHead(500, { 'Set-Cookie': 'id=1' }).end('{"error":1.0}'),
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
    assert.match(document.uri.path, /\/answer\/Answer 500 \d\d:\d\d:\d\d$/);
    assert.equal(viewColumn, delivery.viewColumn! + 1);
    assert.equal(document.languageId, 'plaintext');
    const text = document.getText();
    assert.match(text, /^500 Internal Server Error\n→ http:\/\/127\.0\.0\.1:\d+\/ · .* · \d+ ms\n\n/);
    assert.ok(text.includes('\nSet-Cookie: ••••••••\n'), text);
    assert.ok(text.endsWith('\n\n{\n  "error": 1.0\n}\n'), text);
    const { permissions } = await vscode.workspace.fs.stat(document.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
  });

  it('is that of an attempt where one is named, in the place of the other', async () => {
    const column = shown().viewColumn;
    app.behaviours = [(_, response) => response.writeHead(202).end('taken')];
    await command('replayDelivery', { id });
    const [first, last] = (await attempts(2)).attempts ?? [];
    await command('openAppAnswer', { id, at: last!.at });
    assert.match(shown().document.getText(), /^202 Accepted\n[^]*\n\ntaken\n$/);
    assert.equal(shown().viewColumn, column);
    await command('openAppAnswer', { id, at: first!.at });
    assert.match(shown().document.getText(), /^500 /);
  });

  it('says why there is none', async () => {
    app.behaviours = ['drop'];
    await assert.rejects(command('replayDelivery', { id }));
    await attempts(3);
    await command('openAppAnswer', { id });
    assert.match(
      shown().document.getText(),
      /^→ your handler closed the connection without a response\n→ http/,
    );
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
    await refused({ id: unhanded.id }, /was not handed to your app/);
    await refused({ id: 'unknown' }, /no delivery unknown/);
  });
});
