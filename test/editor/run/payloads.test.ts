import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { textOf } from '../../../src/editor/run/payloads/payloadFile.ts';
import { PayloadStore } from '../../../src/editor/run/payloads/payloadStore.ts';
import { answerPrompts, command, eventually, typeText } from '../../support/editor/inEditor.ts';

interface RunBody {
  body: { result: { body: unknown } };
}

describe('the payloads of an app', () => {
  let app: { projectId: string; appName: string };

  before(async () => {
    // An app that no other test runs. That nobody answers there does not matter to what was sent.
    await sandboxApps({ drafts: 'http://127.0.0.1:1' });
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    app = { projectId, appName: 'hello' };
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('stopListener');
    await command('stopSandbox');
    await sandboxApps(undefined);
  });
  const sandboxApps = (apps: object | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration('runhook')
      .update('sandbox.apps', apps, vscode.ConfigurationTarget.Global);

  /** Opens a payload of the app with that text in it; it stays unsaved. */
  async function write(name: string, text: string, of = app): Promise<vscode.TextDocument> {
    const file = await command<string>('openPayload', { ...of, name });
    return typeText(vscode.Uri.parse(file), text);
  }
  const exists = async (uri: vscode.Uri): Promise<boolean> =>
    vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
  const openUris = (): string[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : []));

  describe('completion', () => {
    const drafts = (): { projectId: string; appName: string } => ({ ...app, appName: 'drafts' });
    /** What is offered at `|`: the label, what it inserts, what it replaces. */
    async function offered(marked: string): Promise<{ label: string; insert: string; replaces: string }[]> {
      const offset = marked.indexOf('|');
      const document = await write('next', marked.replace('|', ''), drafts());
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        document.positionAt(offset),
      );
      return list.items
        .filter(({ detail }) => detail === 'recent')
        .map(({ label, insertText, range }) => ({
          label: labelText(label),
          insert: insertText instanceof vscode.SnippetString ? insertText.value : (insertText ?? ''),
          replaces: document.getText(range instanceof vscode.Range ? range : undefined),
        }));
    }
    const labels = async (marked: string): Promise<string[]> =>
      (await offered(marked)).map(({ label }) => label);

    before(async () => {
      const settings = {
        path: 'v1/chat',
        method: 'PROPFIND',
        headers: { 'X-Trace': 'on' },
        query: { stream: 1 },
      };
      await write('older', '{ "model": "large", "user": { "name": "Ada" }, "only": true }', drafts());
      const newer = await write('newer', JSON.stringify({ $runhook: settings, model: 'small' }), drafts());
      await command('runFile', { file: newer.uri.toString() });
    });

    it('are never read empty while several clicks make one', async () => {
      const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'runhook-payloads-')));
      const store = new PayloadStore(folder);
      const owner = { projectId: 'p', appName: 'a', name: 'new' };
      const texts = await Promise.all(
        Array.from({ length: 20 }, async () => {
          return textOf(await store.ensure(owner));
        }),
      );
      assert.deepEqual(new Set(texts), new Set(['{}\n']));
      await vscode.workspace.fs.delete(folder, { recursive: true });
    });

    it('offers the values of the same place, those of the last run first', async () => {
      assert.deepEqual(await offered('{ "model": | }'), [
        { label: '"small"', insert: '"small"', replaces: '' },
        { label: '"large"', insert: '"large"', replaces: '' },
      ]);
      assert.deepEqual(await labels('{ "user": { "name": | } }'), ['"Ada"']);
    });

    it('replaces the text that the cursor is in', async () => {
      const [first] = await offered('{ "model": "s|" }');
      assert.deepEqual(first, { label: '"small"', insert: '"small"', replaces: '"s"' });
    });

    it('offers keys with the value that they had last, and the key alone where a value stands', async () => {
      const keys = await offered('{ | }');
      assert.deepEqual(
        keys.map(({ label }) => label),
        ['model', 'user', 'only'],
      );
      assert.equal(keys[0]?.insert, '"model": "small"');
      assert.equal((await offered('{ "mo|": 1 }'))[0]?.insert, '"model"');
    });

    it('offers what the settings block held: path, method, headers, query', async () => {
      assert.deepEqual(await labels('{ "$runhook": { "path": | } }'), ['"v1/chat"']);
      assert.deepEqual(await labels('{ "$runhook": { "method": | } }'), ['"PROPFIND"']);
      assert.deepEqual(await labels('{ "$runhook": { "headers": { | } } }'), ['X-Trace']);
      assert.deepEqual(await labels('{ "$runhook": { "headers": { "X-Trace": | } } }'), ['"on"']);
      assert.deepEqual(await labels('{ "$runhook": { "query": { | } } }'), ['stream']);
    });

    it('has the keys and values of the settings block from its schema', async () => {
      const document = await write('next', '{ "$runhook": {  } }', drafts());
      const list = await eventually(async () => {
        const found = await vscode.commands.executeCommand<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          document.uri,
          document.positionAt(15),
        );
        return found.items.length > 0 ? found : undefined;
      });
      const found = list.items.map(({ label }) => labelText(label));
      for (const key of ['path', 'method', 'headers', 'query', 'webhook', 'body']) {
        assert.ok(found.includes(key), `${key} is missing in ${found.join()}`);
      }
    });

    it('offers nothing of one app to another', async () => {
      const file = await command<string>('openPayload', { ...app, appName: 'sleep', name: 'next' });
      const uri = vscode.Uri.parse(file);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(0, 1),
      );
      const found = list.items.map(({ label }) => labelText(label));
      assert.deepEqual(
        found.filter((label) => ['model', 'user', 'only'].includes(label)),
        [],
      );
    });
  });

  describe('in their list', () => {
    it('are renamed; the open document goes along with what was typed', async () => {
      const before = (await write('to rename', '{"typed": true}')).uri;
      await answerPrompts(['to rename', 'Rename'], 'renamed', 'renamed');
      const after = vscode.Uri.parse(await command<string>('openPayload', { ...app, name: '' }));
      assert.match(decodeURIComponent(after.path), /renamed\.payload\.json$/);
      assert.equal(await exists(before), false);
      assert.equal(openUris().includes(before.toString()), false);
      assert.equal((await vscode.workspace.openTextDocument(after)).getText(), '{"typed": true}');
    });

    it('are copied, with what was typed', async () => {
      await write('original', '{"typed": 1}');
      await answerPrompts(['original', 'Duplicate'], 'the copy', 'the copy');
      const copy = vscode.Uri.parse(await command<string>('openPayload', { ...app, name: '' }));
      assert.equal((await vscode.workspace.openTextDocument(copy)).getText(), '{"typed": 1}');
    });

    it('are deleted once that is confirmed, and the list is shown again', async () => {
      const { uri } = await write('to delete', '{"gone": true}');
      await answerPrompts(['to delete', 'Delete'], false, undefined);
      assert.equal(await command('openPayload', { ...app, name: '' }), undefined);
      assert.equal(await exists(uri), true);
      await answerPrompts(['to delete', 'Delete'], true, undefined);
      assert.equal(await command('openPayload', { ...app, name: '' }), undefined);
      assert.equal(await exists(uri), false);
      await eventually(() => !openUris().includes(uri.toString()) || undefined);
    });
  });

  describe('by command', () => {
    it('are renamed, copied and deleted without a question', async () => {
      await command('openPayload', { ...app, name: 'one' });
      const two = await command<string>('renamePayload', { ...app, name: 'one', to: 'two' });
      assert.equal(await exists(vscode.Uri.parse(two)), true);
      const three = await command<string>('duplicatePayload', { ...app, name: 'two', to: 'three' });
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), three);
      for (const name of ['two', 'three']) await command('deletePayload', { ...app, name, confirmed: true });
      for (const uri of [two, three]) assert.equal(await exists(vscode.Uri.parse(uri)), false);
    });

    it('are those of the document in front', async () => {
      await write('in front', '{}');
      await answerPrompts('still in front');
      assert.match(decodeURIComponent(await command<string>('renamePayload')), /still in front\.payload/);
    });

    it('are not overwritten, and have to be there', async () => {
      await command('openPayload', { ...app, name: 'taken' });
      await command('openPayload', { ...app, name: 'other' });
      const rename = command('renamePayload', { ...app, name: 'other', to: 'taken' });
      await assert.rejects(rename, /already has a payload "taken"/);
      const copy = command('duplicatePayload', { ...app, name: 'other', to: 'taken' });
      await assert.rejects(copy, /already has a payload "taken"/);
      const missing = command('deletePayload', { ...app, name: 'nowhere', confirmed: true });
      await assert.rejects(missing, /has no payload "nowhere"/);
    });
  });

  describe('▶', () => {
    const play = (): Promise<RunBody | undefined> => command('runPayload', app);

    it('asks how the first time, and then runs as the app was run last', async () => {
      await write('▶', '{"n": 1}');
      await answerPrompts('Run');
      assert.deepEqual((await play())?.body.result.body, { n: 1 });
      await answerPrompts();
      assert.deepEqual((await play())?.body.result.body, { n: 1 });
      const deliveries = (): Promise<unknown[]> => command('listDeliveries');
      await command('startListener', { port: 0 });
      await command('clearDeliveries');
      const { uri } = await write('▶', '{"n": 2}');
      await command('runFile', { file: uri.toString(), webhook: true });
      assert.deepEqual((await play())?.body.result.body, { n: 2 });
      await eventually(async () => ((await deliveries()).length === 2 ? true : undefined));
    });

    it('asks nothing, and runs nothing, where the view was drawn anew under the click', async () => {
      await answerPrompts();
      // What the editor hands over of an element that it does not know any more, and of the selection.
      for (const name of ['runPayload', 'runAgain', 'openPayload', 'editAppSettings']) {
        assert.equal(await vscode.commands.executeCommand(`runhook.${name}`, undefined, null), undefined);
      }
    });

    it('goes by the payload where that says how, and asks nothing', async () => {
      await write('▶', '{"$runhook": {"webhook": false}, "n": 3}');
      await answerPrompts();
      assert.deepEqual((await play())?.body.result.body, { n: 3 });
    });
  });
});

function labelText(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}
