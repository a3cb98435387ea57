import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { answerPrompts, command, hideProjects, setSetting } from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';

const { Workspace } = vscode.ConfigurationTarget;
const settings = () => vscode.workspace.getConfiguration('runhook');
const accounts = {
  serviceAccounts: [{ id: 'sa-ci', name: 'ci' }],
  apps: [{ id: 'app-hello', name: 'hello' }],
};
const [acme, beta] = [
  { id: 'p-sandbox', name: 'Acme', ...accounts },
  { id: 'p-beta', name: 'Beta', ...accounts },
];
const asJson = (_: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys": []}');
};

describe('projects of two services, side by side', () => {
  /** That of all projects, and the two addresses of Beta's own. */
  const common = new SandboxGate();
  let api: Receiver;
  let proxy: Receiver;
  let thief: Receiver;
  const own = () => ({ baseUrl: api.url, proxyUrl: proxy.url });
  const everybody = () => [api, proxy, thief];
  /** What came in somewhere: the path, and the token that it came with. */
  const seen = ({ received }: Receiver) => received.map(({ path, headers }) => [path, headers.authorization]);
  const seenInCommon = () => common.requests.map(({ url, headers }) => [url, headers.authorization]);
  const callAll = async (projectId: string) => {
    await command('listKeys', { projectId, serviceAccountId: 'sa-ci' });
    await command('applyAppSettings', { projectId, appId: 'app-hello', settings: { gpuCount: 1 } });
    await command('runApp', { projectId, appName: 'hello', webhook: false, quiet: true });
  };

  before(async () => {
    await hideProjects();
    [api, proxy, thief] = await Promise.all([Receiver.start(), Receiver.start(), Receiver.start()]);
    for (const one of everybody()) one.otherwise = asJson;
    const { baseUrl, proxyUrl } = await common.start();
    await setSetting('baseUrl', baseUrl);
    await setSetting('proxyUrl', proxyUrl);
    common.tokens.add('token-of-acme');
  });
  beforeEach(async () => {
    await setSetting('projects', [acme, { ...beta, ...own() }]);
    await command('setToken', { projectId: 'p-sandbox', serviceAccountId: 'sa-ci', token: 'token-of-acme' });
    await command('setToken', { projectId: 'p-beta', serviceAccountId: 'sa-ci', token: 'token-of-beta' });
    common.reset();
    for (const one of everybody()) one.received.length = 0;
  });
  afterEach(async () => {
    await answerPrompts();
    await setSetting('projects', undefined, Workspace);
  });
  after(async () => {
    for (const id of ['projects', 'baseUrl', 'proxyUrl']) await setSetting(id, undefined);
    await Promise.all([...everybody().map((one) => one.close()), common.stop()]);
  });

  it('reaches each at its own addresses, with its own token', async () => {
    await callAll('p-sandbox');
    await callAll('p-beta');
    assert.deepEqual(seenInCommon(), [
      ['/v2/p-sandbox/service-accounts/sa-ci/keys', 'Bearer token-of-acme'],
      ['/v2/projects/p-sandbox/apps/app-hello', 'Bearer token-of-acme'],
      ['/v4/p-sandbox/hello/run', 'Bearer token-of-acme'],
    ]);
    assert.deepEqual(seen(api), [
      ['/v2/p-beta/service-accounts/sa-ci/keys', 'Bearer token-of-beta'],
      ['/v2/projects/p-beta/apps/app-hello', 'Bearer token-of-beta'],
    ]);
    assert.deepEqual(seen(proxy), [['/v4/p-beta/hello/run', 'Bearer token-of-beta']]);
  });

  it('takes no address of a project from the workspace, trusted or not', async () => {
    const stolen = { baseUrl: thief.url, proxyUrl: thief.url };
    await setSetting(
      'projects',
      [
        { ...acme, ...stolen },
        { ...beta, ...stolen },
      ],
      Workspace,
    );
    assert.equal(vscode.workspace.isTrusted, true);
    await callAll('p-sandbox');
    await callAll('p-beta');
    assert.equal(thief.received.length, 0);
    assert.equal(common.requests.length, 3);
    assert.equal(api.received.length, 2);
    assert.equal(proxy.received.length, 1);
  });

  it('borrows no address from another service where one is missing', async () => {
    await setSetting('projects', [acme, { ...beta, baseUrl: api.url }]);
    await assert.rejects(
      command('runApp', { projectId: 'p-beta', appName: 'hello', webhook: false }),
      /The address of the run proxy is not set/,
    );
    assert.equal(common.requests.length, 0);
  });

  it('leaves a token where it was set for, when its project goes elsewhere', async () => {
    await answerPrompts(true);
    await command('setProjectAddresses', { projectId: 'p-sandbox', baseUrl: thief.url, proxyUrl: thief.url });
    const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
    assert.deepEqual(await answerPrompts(), [], 'it was asked for');
    await assert.rejects(
      command('listKeys', account),
      /The token of \S+ was set for http\S+, and is sent only there\./,
    );
    await answerPrompts(undefined);
    await assert.rejects(command('runApp', { projectId: 'p-sandbox', appName: 'hello', webhook: false }));
    assert.equal(thief.received.length, 0);
    await answerPrompts('');
    await command('setProjectAddresses', { projectId: 'p-sandbox' });
    await command('listKeys', account);
    assert.deepEqual(seenInCommon().length, 1);
  });

  it('asks before a caller gives a project an address, and keeps it in the user settings', async () => {
    const before = settings().inspect('projects')?.globalValue;
    const given = { id: 'p-new', baseUrl: thief.url, proxyUrl: thief.url };
    const asked: string[] = [];
    await answerPrompts((question: string) => {
      asked.push(question);
      return false;
    });
    await assert.rejects(command('addProject', given));
    assert.deepEqual(asked, [`Send the calls of the project p-new to ${new URL(thief.url).host}?`]);
    assert.deepEqual(settings().inspect('projects')?.globalValue, before);
    await setSetting('projects', [acme], Workspace);
    await answerPrompts(true);
    assert.deepEqual(await command('addProject', given), { ...given, serviceAccounts: [], apps: [] });
    const { globalValue, workspaceValue } = settings().inspect<object[]>('projects')!;
    assert.deepEqual(globalValue?.at(-1), given);
    assert.deepEqual(workspaceValue?.at(-1), { id: 'p-new', serviceAccounts: [], apps: [] });
  });

  it('refuses an address that no token may go to', async () => {
    for (const baseUrl of ['ftp://api.example', 'https://me:secret@api.example', 'nowhere']) {
      await assert.rejects(command('addProject', { id: 'p-new', baseUrl }), /not an http|user name/);
      await assert.rejects(
        command('setProjectAddresses', { projectId: 'p-beta', baseUrl }),
        /not an http|user name/,
      );
    }
    await answerPrompts('https://me@api.example');
    await assert.rejects(command('setProjectAddresses', { projectId: 'p-beta' }), /user name/);
  });

  it('asks for the addresses in steps, and goes back to those of all', async () => {
    await answerPrompts(thief.url, { kept: true });
    await command('setProjectAddresses', { projectId: 'p-beta' });
    const entry = () => settings().inspect<object[]>('projects')?.globalValue?.[1];
    assert.deepEqual(entry(), { ...beta, baseUrl: thief.url, proxyUrl: proxy.url });
    await answerPrompts('');
    await command('setProjectAddresses', { projectId: 'p-beta' });
    assert.deepEqual(entry(), beta);
  });
});
