import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { shownIn } from '../../../src/editor/deliveries/deliveryUri.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';

const word = 'こんにちは, Grüße';

describe('documents of deliveries where files are in another encoding', () => {
  let app: Receiver;
  let id: string;
  const set = (section: string, name: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    app = await Receiver.start();
    await set('files', 'encoding', 'shiftjis');
    await set('runhook', 'listener.forwardTo', app.url);
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    await command('sendTestDelivery', { body: { n: 1, word } });
    [{ id } = { id: '' }] = await eventually(async () => {
      const [newest] = await deliveries();
      return newest?.attempts?.length === 1 ? [newest] : undefined;
    });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    await set('files', 'encoding', undefined);
    await set('runhook', 'listener.forwardTo', undefined);
    await command('clearDeliveries', {});
    await command('stopListener');
    await app.close();
  });

  it('are read as they were sent', async () => {
    await command('openDelivery', { id });
    assert.ok(vscode.window.activeTextEditor!.document.getText().includes(word));
  });

  it('have no mark where the editor reads UTF-8 anyway', async () => {
    await set('files', 'encoding', undefined);
    await command('openDelivery', { id });
    // The editor still has the document, shows it as it was, and reads it again in the background.
    await eventually(() => (vscode.window.activeTextEditor!.document.encoding === 'utf8' ? true : undefined));
    await set('files', 'encoding', 'shiftjis');
  });

  it('are sent as they read, also once what was typed is opened again', async () => {
    await command('editDelivery', { id });
    const editor = vscode.window.activeTextEditor!;
    const { document } = editor;
    assert.equal(shownIn(document.uri)?.part, 'draft');
    const at = document.positionAt(document.getText().indexOf('1,'));
    await editor.edit((edit) => edit.insert(at, '1'));
    await eventually(() => (document.isDirty ? undefined : true));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await answerPrompts('Continue Editing');
    await vscode.commands.executeCommand('runhook.editDelivery', { argument: { id } });
    assert.match(vscode.window.activeTextEditor!.document.getText(), /"n": 11/);
    await command('sendDraftSigned', { id });
    assert.deepEqual(JSON.parse(app.received.at(-1)!.body.toString()), { n: 11, word });
  });
});
