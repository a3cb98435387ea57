import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { toolIds } from '../../../src/editor/kit/ids.ts';
import {
  answerPrompts,
  command,
  eventually,
  hideProjects,
  setSetting,
} from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';

const project = { id: 'p-where', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'where' }] };
const app = { projectId: project.id, appName: 'where' };
/** Of a network that is nobody's (RFC 5737): nothing could answer there. */
const stranger = 'http://192.0.2.2/collect';
const ofStranger = encodeURIComponent(stranger);

/** A question of the test's own, which keeps what it was asked and says yes. */
function agreeing(asked: string[]): (question: string, detail: string) => boolean {
  return (question, detail) => {
    asked.push(`${question}\n${detail}`);
    return true;
  };
}

describe('where a run goes', () => {
  let service: Receiver;
  let files = 0;
  const sent = (): string[] => service.received.map(({ path }) => path);
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

  /** A payload file as a cloned repository brings it. */
  async function fileWith(block: object): Promise<string> {
    const path = join(folder(), `brought-${(files += 1)}.json`);
    await writeFile(path, JSON.stringify({ $runhook: block, text: 'x' }));
    return vscode.Uri.file(path).toString();
  }

  before(async () => {
    await hideProjects();
    service = await Receiver.start();
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    await command('addProject', project);
    await command('setToken', { projectId: project.id, serviceAccountId: 'sa', token: 'the-token' });
  });
  beforeEach(() => service.received.splice(0));
  afterEach(async () => {
    await answerPrompts();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await command('stopListener');
    await command('removeProject', { projectId: project.id });
    await setSetting('baseUrl', undefined);
    await setSetting('proxyUrl', undefined);
    await service.close();
  });

  const management = { path: '.\t./.\t./.\t./v2/projects/p-where/apps/where', method: 'PATCH' };
  const blocks: [string, object, RegExp][] = [
    [
      'a fragment that hides an address',
      { path: 'run?#', query: { webhookEndpoint: stranger } },
      /contains a "#"/,
    ],
    [
      'the same with a webhook',
      { path: 'run?#', query: { webhookEndpoint: stranger }, webhook: true },
      /"#"/,
    ],
    ['dots with tabs in them', management, /no address can have/],
    ['dots, encoded', { path: '..%2f..%2f..%2fv2/projects/p-where/apps/where' }, /leaves the app/],
    ['dots, encoded twice', { path: 'x/%252e%252e/%252e%252e/other/run' }, /leaves the app/],
    ['backslashes', { path: '..\\..\\other\\run' }, /backslash/],
    ['an address that is none', { path: 'run?webhookEndpoint=collector' }, /not an http or https address/],
  ];
  for (const [what, block, reason] of blocks) {
    it(`is below the app, or nowhere: a payload file with ${what}`, async () => {
      const file = await fileWith(block);
      const how = 'webhook' in block ? [] : ['Run'];
      await answerPrompts('where', ...how, true, true);
      await assert.rejects(command('runFile', { file }), reason);
      assert.deepEqual(sent(), []);
    });
  }

  it('is below the app, or nowhere: the tool of a language model', async () => {
    for (const part of [management, { path: '..%2f..%2f..%2fv2', method: 'GET' }]) {
      const input = { ...app, ...part };
      await assert.rejects(
        Promise.resolve(vscode.lm.invokeTool(toolIds.runApp, { input, toolInvocationToken: undefined })),
      );
      assert.deepEqual(sent(), []);
    }
  });

  for (const name of ['webhookEndpoint', 'WEBHOOKENDPOINT', 'webhook%45ndpoint', 'x=1;webhookEndpoint']) {
    it(`shows every address that the result is sent to: ${name}`, async () => {
      const path = `run?${name}=${ofStranger}`;
      const file = await fileWith({ path, webhook: true });
      const asked: string[] = [];
      await answerPrompts('where', false);
      assert.equal(await command('runFile', { file }), undefined);
      assert.deepEqual(await answerPrompts(), [], 'the user was asked');
      assert.deepEqual(sent(), []);
      await answerPrompts('where', agreeing(asked));
      await command('runFile', { file });
      assert.match(asked.join('\n'), /http:\/\/192\.0\.2\.2\/collect/);
      assert.deepEqual(sent(), [`/v4/p-where/where/${path}`]);
    });
  }

  it('asks before a result is signed for another machine that the query names, whoever runs the app', async () => {
    const call = { ...app, path: `run?webhookEndpoint=${ofStranger}`, webhook: true, quiet: true };
    await answerPrompts(false);
    await assert.rejects(command('runApp', call), /Nothing was run/);
    assert.deepEqual(sent(), []);
    await command('runApp', { ...call, confirmed: true });
    assert.equal(sent().length, 1);
  });

  it('leaves the query as it was written, and adds the one address at its end', async () => {
    const query = "q=a%20b&flag&t=~!*()&e=%2F;k=1&x=%E9&it's='%27'&c=a+b&=&&p=%";
    await command('runApp', { ...app, path: `run?${query}`, webhook: true, quiet: true });
    await command('runApp', { ...app, path: `run?${query}&é= `, quiet: true });
    const [hooked, plain] = sent();
    const { url } = await command<{ url: string }>('startListener');
    assert.equal(
      hooked,
      `/v4/p-where/where/run?${query}&webhookEndpoint=${encodeURIComponent(`${url}runhook/where`)}`,
    );
    assert.equal(plain, `/v4/p-where/where/run?${query}&%C3%A9=%20`);
  });
});

describe('a payload file of the workspace', () => {
  let service: Receiver;
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const fileWith = async (name: string, block: object): Promise<string> => {
    const path = join(folder(), name);
    await writeFile(path, JSON.stringify({ $runhook: block }));
    return path;
  };
  const paths = (): string[] => service.received.map(({ method, path }) => `${method} ${path}`);

  before(async () => {
    service = await Receiver.start();
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    await command('addProject', project);
    await command('setToken', { projectId: project.id, serviceAccountId: 'sa', token: 'the-token' });
  });
  beforeEach(() => service.received.splice(0));
  afterEach(async () => {
    await answerPrompts();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await command('removeProject', { projectId: project.id });
    await setSetting('baseUrl', undefined);
    await setSetting('proxyUrl', undefined);
    await service.close();
  });

  it('shows the address that it will reach before its first run, once for each', async () => {
    const asked: string[] = [];
    const file = await fileWith('first.json', { path: 'v1/do?x=1', method: 'DELETE', webhook: false });
    await answerPrompts('where', false);
    assert.equal(await command('runFile', { file }), undefined);
    assert.deepEqual(paths(), []);
    await answerPrompts('where', agreeing(asked));
    await command('runFile', { file });
    assert.match(
      asked[0]!,
      /first\.json[^]*DELETE http:\/\/127\.0\.0\.1:\d+\/v4\/p-where\/where\/v1\/do\?x=1/,
    );
    await answerPrompts('where');
    await command('runFile', { file });
    assert.deepEqual(paths(), Array(2).fill('DELETE /v4/p-where/where/v1/do?x=1'));
    await fileWith('first.json', { path: 'v1/other', method: 'DELETE', webhook: false });
    await eventually(async () => {
      const document = await vscode.workspace.openTextDocument(file);
      return document.getText().includes('v1/other') || undefined;
    });
    await answerPrompts('where', false);
    assert.equal(await command('runFile', { file }), undefined);
    const same = await fileWith('second.json', { path: 'v1/do?x=1', method: 'DELETE', webhook: false });
    await answerPrompts('where', false);
    assert.equal(await command('runFile', { file: same }), undefined);
    assert.equal(paths().length, 2);
  });

  it('is asked for again where any part of it but the body is another', async () => {
    const block = { path: 'run', query: { mode: 'read' }, method: 'POST', webhook: false };
    const write = async (content: object) => {
      await writeFile(join(folder(), 'parts.json'), JSON.stringify(content));
      await eventually(async () => {
        const document = await vscode.workspace.openTextDocument(join(folder(), 'parts.json'));
        return document.getText() === JSON.stringify(content) || undefined;
      });
    };
    const run = async () => command('runFile', { file: join(folder(), 'parts.json') });
    await write({ $runhook: block, data: 1 });
    const asked: string[] = [];
    await answerPrompts('where', agreeing(asked));
    await run();
    await write({ $runhook: block, data: 2 });
    await answerPrompts('where');
    await run();
    assert.equal(paths().length, 2);
    const others: [change: object, shown: RegExp][] = [
      [{ query: { mode: 'delete-all', force: true } }, /run\?mode=delete-all&force=true/],
      [{ path: 'run?x=1' }, /run\?x=1&mode=read/],
      [{ headers: { 'X-Admin': '1', 'X-Two': 'b' } }, /X-Admin: 1, X-Two: b/],
      [{ webhook: true }, /also sent to http:\/\/127\.0\.0\.1:\d+\/runhook\/where/],
      [{ webhook: 'http://127.0.0.1:1/hook' }, /127\.0\.0\.1:1\/hook/],
      [{ method: 'PUT' }, /PUT http/],
    ];
    for (const [change, shown] of others) {
      await write({ $runhook: { ...block, ...change }, data: 1 });
      const questions: string[] = [];
      await answerPrompts('where', (question: string, detail: string) => {
        questions.push(`${question}\n${detail}`);
        return false;
      });
      assert.equal(await run(), undefined);
      assert.match(questions.join('\n'), shown);
    }
    assert.equal(paths().length, 2);
  });

  it('is run without a question where the caller says that it is confirmed', async () => {
    const path = `run?webhookEndpoint=${ofStranger}`;
    const file = await fileWith('confirmed.json', { path, webhook: false });
    await answerPrompts('where');
    await command('runFile', { file, confirmed: true });
    assert.deepEqual(paths(), [`POST /v4/p-where/where/${path}`]);
  });

  it('is named by its address, its path, or its path within the workspace', async () => {
    const path = await fileWith('named é.json', { webhook: false });
    for (const file of [vscode.Uri.file(path).toString(), path, 'named é.json', './named é.json']) {
      await answerPrompts('where');
      await command('runFile', { file, confirmed: true });
    }
    assert.equal(paths().length, 4);
  });

  for (const file of [
    'nowhere.json',
    '/nowhere/at/all.json',
    'file:///nowhere.json',
    'a:b',
    '1:x',
    'http:',
    '',
  ]) {
    it(`says so where there is none: ${JSON.stringify(file)}`, async () => {
      await assert.rejects(command('runFile', { file }), (error: Error) => {
        assert.match(error.message, /cannot be opened/);
        assert.doesNotMatch(error.message, /UriError|Error:|Detail|scheme/i);
        return true;
      });
    });
  }
});
