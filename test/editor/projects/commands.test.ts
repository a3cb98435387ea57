import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { answerPrompts, hideProjects, setSetting } from '../../support/editor/inEditor.ts';
import { jwt } from '../../support/service/jwt.ts';

const day = 24 * 60 * 60 * 1000;
const run = async (command: string, argument?: object): Promise<unknown> =>
  vscode.commands.executeCommand(`runhook.${command}`, argument);

describe('projects, service accounts, tokens and keys', () => {
  const service = new SandboxGate();
  const settings = () => vscode.workspace.getConfiguration('runhook');
  /** A token that says nothing of itself. */
  const opaque = 'opaque-token';
  const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };

  before(async () => {
    await hideProjects();
    await setSetting('baseUrl', (await service.start()).baseUrl);
    service.tokens.add(opaque);
  });
  after(async () => {
    await service.stop();
    for (const id of ['projects', 'baseUrl']) await setSetting(id, undefined);
  });
  beforeEach(async () => {
    service.reset();
    await setSetting('projects', [
      { id: 'p-sandbox', name: 'Acme', serviceAccounts: [{ id: 'sa-ci', name: 'ci' }], apps: [] },
    ]);
  });

  it('adds a project and returns it', async () => {
    const project = { id: 'p-2', name: 'Beta', serviceAccounts: [{ id: 'a', environment: 'dev' }], apps: [] };
    assert.deepEqual(await run('addProject', project), project);
    assert.deepEqual(settings().inspect('projects')?.globalValue, [
      { id: 'p-sandbox', name: 'Acme', serviceAccounts: [{ id: 'sa-ci', name: 'ci' }], apps: [] },
      project,
    ]);
  });

  it('fills what was left out of a project', async () => {
    assert.deepEqual(await run('addProject', { id: 'p-2' }), { id: 'p-2', serviceAccounts: [], apps: [] });
  });

  it('refuses a project that is there', async () => {
    await assert.rejects(run('addProject', { id: 'p-sandbox' }), /p-sandbox already exists/);
  });

  it('loses none of two projects that are added at once', async () => {
    await Promise.all([
      run('addProject', { id: 'x' }),
      run('addProject', { id: 'y' }),
      run('addApp', { projectId: 'p-sandbox', id: 'app' }),
    ]);
    const ids = settings()
      .get<{ id: string }[]>('projects')
      ?.map(({ id }) => id);
    assert.deepEqual(ids, ['p-sandbox', 'x', 'y']);
    assert.deepEqual(settings().get<{ apps: object[] }[]>('projects')?.[0]?.apps, [{ id: 'app' }]);
  });

  it('keeps entries that cannot be read', async () => {
    const odd = [{ note: 'mine' }, 7, { id: 'p-sandbox', extra: true }];
    await setSetting('projects', odd);
    await run('addServiceAccount', { projectId: 'p-sandbox', id: 'sa-9' });
    assert.deepEqual(settings().inspect('projects')?.globalValue, [
      { note: 'mine' },
      7,
      { id: 'p-sandbox', extra: true, serviceAccounts: [{ id: 'sa-9' }] },
    ]);
  });

  it('changes the workspace where the setting lives there', async () => {
    await setSetting('projects', [{ id: 'w-1' }], vscode.ConfigurationTarget.Workspace);
    try {
      await run('addProject', { id: 'w-2' });
      assert.deepEqual(settings().inspect('projects')?.workspaceValue, [
        { id: 'w-1' },
        { id: 'w-2', serviceAccounts: [], apps: [] },
      ]);
    } finally {
      await setSetting('projects', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('sets a token and says when it expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const expiresAt = new Date(exp * 1000).toISOString();
    assert.deepEqual(await run('setToken', { ...account, token: jwt({ exp }) }), { expiresAt });
    assert.deepEqual(await run('setToken', { ...account, token: opaque }), {});
  });

  it('lists keys with the token, and reads them', async () => {
    const { token } = service.address;
    const expiresAt = new Date(Date.now() + 6 * day).toISOString();
    await run('setToken', { ...account, token });
    service.answers(200, {
      keys: [
        { id: 'k-1', name: 'deploy-bot', created_at: 1_700_000_000, expires_at: expiresAt },
        { id: 'k-2' },
      ],
    });
    assert.deepEqual(await run('listKeys', account), [
      { id: 'k-1', name: 'deploy-bot', createdAt: '2023-11-14T22:13:20.000Z', expiresAt, status: 'expiring' },
      { id: 'k-2', status: 'unknown' },
    ]);
    const [request] = service.requests;
    assert.equal(request?.url, '/v2/p-sandbox/service-accounts/sa-ci/keys');
    assert.equal(request.headers.authorization, `Bearer ${token}`);
    assert.match(request.headers['user-agent'] ?? '', /^Runhook\/\d+\.\d+\.\d+$/);
  });

  it('rejects where the service refuses, with its words', async () => {
    await run('setToken', { ...account, token: opaque });
    service.answers(403, { detail: 'token revoked' });
    await assert.rejects(run('listKeys', account), /403.*token revoked/);
  });

  it('deletes a token, after which a list call rejects and asks nothing', async () => {
    await run('setToken', { ...account, token: opaque });
    await run('deleteToken', account);
    service.requests.length = 0;
    await assert.rejects(run('listKeys', account), /No token is stored.*ci/);
    assert.equal(service.requests.length, 0);
  });

  it('keeps the old token where the service refuses the new one, until that is insisted on', async () => {
    const good = service.address.token;
    const sent = () => service.requests.at(-1)?.headers.authorization;
    await run('setToken', { ...account, token: opaque });
    // What is entered again is stored all the same.
    for (const [answers, stored] of [
      [['not-yet-known'], opaque],
      [['not-yet-known', good], good],
      [['not-yet-known', 'not-yet-known'], 'not-yet-known'],
    ] as const) {
      await answerPrompts(...answers);
      await run('setToken', { argument: account }).catch(() => undefined);
      await run('listKeys', account).catch(() => undefined);
      assert.equal(sent(), `Bearer ${stored}`);
    }
  });

  it('deletes the tokens of a project with it', async () => {
    await run('setToken', { ...account, token: opaque });
    await run('removeProject', { projectId: 'p-sandbox' });
    await run('addProject', { id: 'p-sandbox', serviceAccounts: [{ id: 'sa-ci' }] });
    await assert.rejects(run('listKeys', account), /No token is stored/);
  });

  it('rejects unknown projects, accounts and arguments', async () => {
    await assert.rejects(run('removeProject', { projectId: 'nope' }), /no project nope/);
    await assert.rejects(run('addApp', { projectId: 'nope', id: 'a' }), /no project nope/);
    await assert.rejects(
      run('listKeys', { projectId: 'p-sandbox', serviceAccountId: 'nope' }),
      /no service account nope/,
    );
    await assert.rejects(
      run('useServiceAccount', { projectId: 'p-sandbox', serviceAccountId: 'nope' }),
      /nope/,
    );
    await assert.rejects(run('setToken', { ...account, token: 'two words' }), /white space/);
  });

  it('says what to do where no address is set', async () => {
    await run('setToken', { ...account, token: opaque });
    const address = settings().get('baseUrl');
    await setSetting('baseUrl', '');
    try {
      await assert.rejects(run('listKeys', account), /"runhook\.baseUrl".*addresses of the project/);
    } finally {
      await setSetting('baseUrl', address);
    }
  });

  it('sends a token to no other address than the one it was stored for', async () => {
    await run('setToken', { ...account, token: opaque });
    const other = new SandboxGate();
    const address = settings().get('baseUrl');
    await setSetting('baseUrl', (await other.start()).baseUrl);
    try {
      await assert.rejects(run('listKeys', account), /was set for http\S+, and is sent only there\./);
      assert.equal(other.requests.length, 0);
    } finally {
      await setSetting('baseUrl', address);
      await other.stop();
    }
  });

  it('ignores an address that the workspace sets', async () => {
    const thief = new SandboxGate();
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode/settings.json');
    const content = JSON.stringify({
      'runhook.baseUrl': (await thief.start()).baseUrl,
      'runhook.keys.expiryWarningDays': 3,
    });
    const noticed = new Promise<void>((resolve) => {
      const changes = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('runhook.keys.expiryWarningDays')) return;
        changes.dispose();
        resolve();
      });
    });
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
    try {
      await noticed;
      await run('setToken', { ...account, token: opaque });
      await run('listKeys', account);
      assert.ok(service.requests.length > 0);
      assert.equal(thief.requests.length, 0);
    } finally {
      await vscode.workspace.fs.delete(uri);
      await thief.stop();
    }
  });
});
