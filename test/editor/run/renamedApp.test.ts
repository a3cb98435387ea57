import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { RunAppResult } from '../../../src/editor/run/send.ts';
import { DebuggedApp, renameLaunch } from '../../../src/editor/debug/debuggedApp.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import {
  answerPrompts,
  command,
  eventually,
  setSetting,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

describe('an app that is renamed', () => {
  const projectId = 'p-renamed';
  const ref = { projectId, appId: 'app-1' };
  let service: Server;
  /** The paths of the calls that the service has got. */
  const called: string[] = [];
  const payloads = () =>
    vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.runhook', 'payloads');
  const routes = () =>
    vscode.workspace.getConfiguration('runhook').get<Record<string, string>>('listener.routes');
  const rename = async (...answers: unknown[]) => {
    await answerPrompts(...answers);
    await vscode.commands.executeCommand('runhook.rename', { argument: ref });
    assert.deepEqual(await answerPrompts(), []);
  };

  before(async () => {
    service = createServer((request, response) => {
      called.push(request.url ?? '');
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":1}');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    await setSetting('baseUrl', address);
    await setSetting('proxyUrl', address);
    const apps = [{ id: 'app-1', name: 'before' }, { id: 'other' }];
    await setSetting('projects', [{ id: projectId, serviceAccounts: [{ id: 'sa-1' }], apps }]);
    await command('setToken', { projectId, serviceAccountId: 'sa-1', token: 'token-of-renamed-1' });
  });
  after(async () => {
    await command('removeProject', { projectId });
    for (const id of ['projects', 'baseUrl', 'proxyUrl', 'listener.routes']) await setSetting(id, undefined);
    await setSetting('listener.routes', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.workspace.fs.delete(payloads(), { recursive: true });
    service.closeAllConnections();
    service.close();
  });

  it('keeps its runs with their responses, its payloads and the address of its handler', async () => {
    const app = { projectId, appName: 'before' };
    const { id } = await command<RunAppResult>('runApp', { ...app, body: {}, webhook: false, quiet: true });
    await command('setForwardTo', { app: 'before', to: 'localhost:4100' });
    const payload = (folder: string) => vscode.Uri.joinPath(payloads(), folder, 'mine.payload.json');
    await vscode.workspace.fs.writeFile(payload('before'), Buffer.from('{}\n'));
    const naming = vscode.Uri.joinPath(payloads(), 'naming.payload.json');
    await vscode.workspace.fs.writeFile(naming, Buffer.from('{ "$runhook": { "app": "before" } }'));
    await shownMessages();
    const questions: string[] = [];
    await rename('after', (question: string, detail: string) => {
      questions.push(`${question}\n${detail}`);
      return true;
    });
    assert.deepEqual(questions, [
      'Move the payloads of before to after?\n.runhook/payloads/before/mine.payload.json',
    ]);
    assert.equal((await vscode.workspace.fs.stat(payload('after'))).size, 3);
    const message =
      'These payloads still name the app before: .runhook/payloads/naming.payload.json. Change it to after there.';
    assert.deepEqual(await shownMessages(), [{ message, verbs: ['Open File'] }]);
    assert.deepEqual(routes(), { after: 'http://localhost:4100' });
    await command('openRunAnswer', { id });
    await eventually(() =>
      vscode.window.visibleTextEditors.find(({ document }) => document.getText().includes('"a": 1')),
    );
    await command('runAgain', { id });
    assert.deepEqual(called.slice(-2), [`/v4/${projectId}/before/run`, `/v4/${projectId}/after/run`]);
  });

  it('keeps the launch configuration that was chosen for it', async () => {
    const launch = vscode.workspace.getConfiguration('launch', vscode.workspace.workspaceFolders![0]);
    const one = { type: 'node', request: 'launch', program: 'x.js' };
    await launch.update(
      'configurations',
      ['first', 'second'].map((name) => ({ ...one, name })),
    );
    const memento = new MemoryMemento();
    const prompts = new AnsweredPrompts();
    prompts.answers = ['second'];
    const app = new DebuggedApp({ prompts, memento });
    try {
      await app.choose('before');
      await renameLaunch(memento, 'before', 'after');
      assert.equal((await app.launchOf('after'))?.name, 'second');
    } finally {
      app.dispose();
      await launch.update('configurations', undefined);
    }
  });

  it('gets no name that another app has, or that is no part of an address; nor does one that is added', async () => {
    const refusals: [string, RegExp][] = [
      ['a/b', /one part of an address/],
      ['https://example.com/a', /not an address/],
      ['other', /already has other/],
    ];
    for (const [name, why] of refusals) await assert.rejects(command('rename', { ...ref, name }), why);
    for (const added of [{ id: 'a/b' }, { id: 'app-2', name: 'a?b' }])
      await assert.rejects(command('addApp', { projectId, ...added }), /one part of an address/);
  });
});
