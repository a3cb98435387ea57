import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { answerPrompts, eventually, hideProjects, setSetting } from '../../support/editor/inEditor.ts';

describe('whose token a call uses', () => {
  const service = new SandboxGate();
  const run = async (command: string, argument?: object): Promise<unknown> =>
    vscode.commands.executeCommand(`runhook.${command}`, argument);
  const call = { projectId: 'p-sandbox', appName: 'hello', webhook: false, body: {}, quiet: true };
  const use = async (serviceAccountId: string) =>
    run('useServiceAccount', { projectId: 'p-sandbox', serviceAccountId });
  const bearers = () => service.requests.map(({ headers }) => headers.authorization);

  before(async () => {
    await hideProjects();
    const { baseUrl, proxyUrl } = await service.start();
    for (const name of ['dev', 'live', 'eu', 'before', 'bare', 'fresh'])
      service.tokens.add(`token-of-${name}`);
    await setSetting('baseUrl', baseUrl);
    await setSetting('proxyUrl', proxyUrl);
    await run('addProject', {
      id: 'p-sandbox',
      serviceAccounts: [
        { id: 'dev', environment: 'dev' },
        { id: 'live', environment: 'prod' },
        { id: 'eu', environment: 'prod-eu' },
        { id: 'before', environment: 'preprod' },
        { id: 'bare' },
      ],
      apps: [{ id: 'hello' }],
    });
    for (const name of ['dev', 'live', 'eu', 'before']) {
      await run('setToken', { projectId: 'p-sandbox', serviceAccountId: name, token: `token-of-${name}` });
    }
  });
  beforeEach(() => service.reset());
  after(async () => {
    await answerPrompts();
    await run('removeProject', { projectId: 'p-sandbox' });
    await setSetting('baseUrl', undefined);
    await setSetting('proxyUrl', undefined);
    await service.stop();
  });

  it('is the first account’s, until another one is chosen', async () => {
    await run('runApp', call);
    await use('live');
    await run('runApp', { ...call, confirmed: true });
    await use('dev');
    await run('runApp', call);
    assert.deepEqual(bearers(), ['Bearer token-of-dev', 'Bearer token-of-live', 'Bearer token-of-dev']);
  });

  it('asks first under prod, and sends nothing where the user declines', async () => {
    await use('live');
    await answerPrompts(false);
    await assert.rejects(run('runApp', call), /not confirmed/);
    assert.deepEqual(bearers(), []);
    await answerPrompts(true);
    await run('runApp', call);
    assert.deepEqual(bearers(), ['Bearer token-of-live']);
  });

  it('says under prod what is sent, where to, and who gets the result', async () => {
    const asked: string[] = [];
    const decline = (...question: string[]) => void asked.push(question.slice(0, 3).join('\n'));
    await use('live');
    for (const more of [
      { path: 'v1/chat?a=1', method: 'PUT', body: { text: `hi\u202e${'x'.repeat(3000)}` } },
      { webhook: true },
      { webhook: 'https://me.example/hook', secret: 'a-secret-of-this-run-alone' },
    ]) {
      await answerPrompts(decline);
      await assert.rejects(run('runApp', { ...call, ...more }), /Run hello was not confirmed/);
    }
    const { proxyUrl } = service.address;
    const [put = '', withListener = '', elsewhere = ''] = asked;
    assert.ok(put.startsWith(`Run hello in prod?\nPUT ${proxyUrl}/`), put);
    assert.match(put, /\/v1\/chat\?a=1\nThe response is not delivered anywhere\.\nBody: \{"text":"hi x+…\n/);
    assert.match(put, /\nProject p-sandbox, service account live\.\nRun$/);
    assert.ok(put.length < 600, put);
    assert.match(withListener, /\nThe response is also delivered to the listener of this window\.\n/);
    assert.match(withListener, /\nIt is signed with your webhook secret\.\n/);
    assert.match(elsewhere, /\nThe response is also sent to https:\/\/me\.example\/hook\.\n/);
    assert.match(elsewhere, /\nIt is signed with a secret for this run only\.\n/);
    assert.ok(!elsewhere.includes('a-secret-of-this-run-alone'));
    assert.deepEqual(bearers(), []);
  });

  it('sends nothing to another address than the one that the question named', async () => {
    await use('live');
    const { proxyUrl } = service.address;
    await answerPrompts(() => setSetting('proxyUrl', 'http://127.0.0.1:1').then(() => true));
    try {
      await assert.rejects(run('runApp', call), /changed while you were asked/);
    } finally {
      await setSetting('proxyUrl', proxyUrl);
    }
  });

  it('asks first under prod-eu too, and not under preprod', async () => {
    await use('eu');
    await answerPrompts(false);
    await assert.rejects(run('runApp', call), /not confirmed/);
    await use('before');
    await run('runApp', call);
    assert.deepEqual(bearers(), ['Bearer token-of-before']);
  });

  it('asks first under what the user calls prod, whatever the workspace calls it', async () => {
    const settings = vscode.workspace.getConfiguration('runhook');
    const inWorkspace = async (value: unknown) =>
      setSetting('projects', value, vscode.ConfigurationTarget.Workspace);
    const { id, apps } = settings.get<{ id: string; apps: object[] }[]>('projects')![0]!;
    await inWorkspace([{ id, serviceAccounts: [{ id: 'live', environment: 'dev' }], apps }]);
    try {
      await answerPrompts(false);
      await assert.rejects(run('runApp', call), /not confirmed/);
      assert.deepEqual(bearers(), []);
    } finally {
      await inWorkspace(undefined);
    }
  });

  it('asks for a token that is missing, and keeps it', async () => {
    await use('bare');
    await answerPrompts('token-of-bare');
    await run('runApp', call);
    await run('runApp', call);
    // The first call asks whether the service accepts it.
    assert.deepEqual(bearers(), Array(3).fill('Bearer token-of-bare'));
    await run('deleteToken', { projectId: 'p-sandbox', serviceAccountId: 'bare' });
    await answerPrompts(undefined);
    await assert.rejects(run('runApp', call), /No token is stored/);
  });

  it('stores a token that the service rejects only where it is entered again', async () => {
    const bare = { projectId: 'p-sandbox', serviceAccountId: 'bare' };
    await use('bare');
    for (const [answers, sent] of [
      [['not-known', 'token-of-bare'], 'token-of-bare'],
      [['not-known', 'not-known'], 'not-known'],
    ] as const) {
      await run('deleteToken', bare);
      await answerPrompts(...answers);
      await run('runApp', call);
      assert.equal(bearers().at(-1), `Bearer ${sent}`);
    }
    await run('deleteToken', bare);
  });

  it('asks for account, environment and token in one go', async () => {
    await answerPrompts('Add Service Account…', 'sa-new', 'fresh', 'staging', 'token-of-fresh');
    assert.deepEqual(await run('setToken'), {});
    // It is checked, and listed again for the view: the service does not know the account.
    await eventually(() => (bearers().length === 2 ? true : undefined));
    assert.deepEqual(bearers(), ['Bearer token-of-fresh', 'Bearer token-of-fresh']);
    service.requests.length = 0;
    await use('sa-new');
    await run('runApp', call);
    assert.deepEqual(bearers(), ['Bearer token-of-fresh']);
  });

  it('runs again with a token that is set above the response to one that was rejected', async () => {
    const live = { projectId: 'p-sandbox', serviceAccountId: 'live' };
    await use('live');
    await run('setToken', { ...live, token: 'was-revoked' });
    const { id } = (await run('runApp', { ...call, confirmed: true })) as { id: string };
    const setToken = async () => run('setTokenOfRun', { argument: { id } });
    // Twice: the service does not know the account, so it cannot be checked.
    const typed = ['token-of-live', 'token-of-live'];
    const runs = () => service.requests.filter(({ url }) => url.startsWith('/v4/')).length;
    await answerPrompts(undefined);
    await setToken();
    assert.equal(runs(), 1);
    const asked: string[] = [];
    await answerPrompts(...typed, (question: string) => asked.push(question) > 0);
    await setToken();
    assert.deepEqual([asked, runs()], [['Run hello in prod?'], 2]);
    // Of an account that is no longer in use.
    await use('dev');
    await answerPrompts(...typed);
    await setToken();
    assert.equal(runs(), 2);
  });
});
