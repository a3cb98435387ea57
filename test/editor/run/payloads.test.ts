import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createFile, textOf } from '../../../src/editor/run/payloads/payloadStore.ts';
import { answerPrompts, command, eventually, setSetting, typeText } from '../../support/editor/inEditor.ts';

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
    const { uri } = vscode.workspace.workspaceFolders![0]!;
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '.runhook/payloads'), { recursive: true });
  });
  const sandboxApps = (apps: object | undefined): Thenable<void> => setSetting('sandbox.apps', apps);

  /** Opens a payload of the app with that text in it; it stays unsaved. */
  async function write(name: string, text: string, of = app): Promise<vscode.TextDocument> {
    const file = await command<string>('openPayload', { ...of, name });
    return typeText(vscode.Uri.parse(file), text);
  }
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
      await command('runFile', { file: newer.uri.toString(), confirmed: true });
    });

    it('are never read empty while several clicks make one', async () => {
      const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'runhook-payloads-')));
      const file = vscode.Uri.joinPath(folder, 'a', 'new.payload.json');
      const texts = await Promise.all(
        Array.from({ length: 20 }, async () => {
          await createFile(file);
          return textOf(file);
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

  describe('▶', () => {
    const play = (): Promise<RunBody | undefined> => command('runPayload', app);

    it('runs the way that its tooltip says, asks nothing, and opens the response alone, always in one place', async () => {
      const shown = () =>
        vscode.window.tabGroups.all.map(({ tabs }) =>
          tabs.map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.scheme : 'other')),
        );
      const deliveries = (): Promise<unknown[]> => command('listDeliveries');
      /** It takes a moment until the editor tells of it, and until it has saved what was typed last. */
      const closeAll = () =>
        eventually(async () => {
          await vscode.commands.executeCommand('workbench.action.closeAllEditors');
          return JSON.stringify(shown()) === '[[]]' ? true : undefined;
        });
      await command('startListener', { port: 0 });
      await command('clearDeliveries');
      await write('▶', '{"n": 1}');
      await closeAll();
      await answerPrompts();
      assert.deepEqual((await play())?.body.result.body, { n: 1 });
      assert.deepEqual(await deliveries(), []);
      await command('runPayloadWithWebhook', app);
      await eventually(async () => ((await deliveries()).length === 1 ? true : undefined));
      assert.deepEqual(shown(), [['runhook-answer']]);
      // Beside the payload where that is what one looks at.
      await closeAll();
      const { uri } = await write('▶', '{"n": 2}');
      await play();
      await vscode.window.showTextDocument(uri);
      await play();
      assert.deepEqual(shown(), [['file'], ['runhook-answer']]);
      // The file goes the way of the last run.
      await command('runPayloadWithWebhook', app);
      const { runId } = await vscode.commands.executeCommand<{ runId: string }>('runhook.runFile', uri);
      await eventually(async () => ((await deliveries()).length === 3 ? true : undefined));
      await eventually(() =>
        vscode.window.visibleTextEditors.find(({ document }) => document.getText().includes(runId)),
      );
      // A page of Runhook is not worth half the width.
      await closeAll();
      const [{ id }] = (await deliveries()) as [{ id: string }];
      await command('explainDelivery', { id });
      // It takes a moment until the editor tells that this is what one looks at.
      const { tabGroups } = vscode.window;
      const isInFront = () => tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
      await eventually(() => isInFront() || undefined);
      await play();
      await eventually(() => (shown().flat().includes('runhook-answer') ? true : undefined));
      // A group that is empty by now may still be closing.
      await eventually(() => (shown().length === 1 ? true : undefined));
    });

    it('asks nothing, and runs nothing, where the view was drawn anew under the click', async () => {
      await answerPrompts();
      // What the editor hands over of an element that it does not know any more, and of the selection.
      for (const name of ['runPayload', 'runAgain', 'openPayload', 'editAppSettings']) {
        assert.equal(await vscode.commands.executeCommand(`runhook.${name}`, undefined, null), undefined);
      }
    });

    it('goes by the payload where that says how', async () => {
      await write('▶', '{"$runhook": {"webhook": false}, "n": 3}');
      // It says so itself now, which somebody else may have written.
      await answerPrompts((_: string, detail: string) =>
        /The response is not delivered anywhere/.test(detail),
      );
      const run = await command<RunBody | undefined>('runPayloadWithWebhook', app);
      assert.deepEqual(run?.body.result.body, { n: 3 });
    });
  });
});

function labelText(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}
