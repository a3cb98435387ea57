import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerPrompts, command, setSetting } from '../../support/editor/inEditor.ts';

const { Workspace } = vscode.ConfigurationTarget;

describe('projects, service accounts and apps that are there', () => {
  const settings = () => vscode.workspace.getConfiguration('runhook');
  const projects = () => settings().inspect<object[]>('projects')?.globalValue;
  const ci = { id: 'sa-ci', name: 'ci', environment: 'qa' };
  const hello = { id: 'app-1', name: 'hello' };
  const acme = {
    id: 'p-1',
    name: 'Acme',
    serviceAccounts: [ci, { id: 'sa-2' }],
    apps: [hello, { id: 'worker' }],
  };
  const account = { projectId: 'p-1', serviceAccountId: 'sa-ci' };
  const app = { projectId: 'p-1', appId: 'app-1' };
  /** As a menu of a view does it. */
  const inMenu = async (name: string, argument: object, ...answers: unknown[]) => {
    await answerPrompts(...answers);
    await vscode.commands.executeCommand(`runhook.${name}`, { argument });
    assert.deepEqual(await answerPrompts(), []);
  };

  beforeEach(() => setSetting('projects', [acme]));
  after(async () => {
    await setSetting('projects', undefined);
  });

  it('are renamed, and go by their id again where the name is empty', async () => {
    await inMenu('rename', account, 'builder');
    await inMenu('rename', app, '');
    await inMenu('rename', { projectId: 'p-1' }, 'Beta');
    assert.deepEqual(projects(), [
      {
        ...acme,
        name: 'Beta',
        serviceAccounts: [{ ...ci, name: 'builder' }, { id: 'sa-2' }],
        apps: [{ id: 'app-1' }, { id: 'worker' }],
      },
    ]);
    await command('rename', { ...account, name: '' });
    assert.deepEqual((projects()?.[0] as typeof acme).serviceAccounts[0], { id: 'sa-ci', environment: 'qa' });
  });

  it('keep an app’s own webhook secret under its new name', async () => {
    await command('setWebhookSecret', { projectId: 'p-1', appName: 'hello', secret: 'secret-of-hello-1' });
    await command('rename', { ...app, name: 'hi' });
    await command('copyWebhookSecret', { projectId: 'p-1', appName: 'hi' });
    assert.equal(await vscode.env.clipboard.readText(), 'secret-of-hello-1');
    await command('removeApp', app);
    await setSetting('projects', [{ ...acme, apps: [{ id: 'app-1', name: 'hi' }] }]);
    await command('copyWebhookSecret', { projectId: 'p-1', appName: 'hi' });
    assert.notEqual(await vscode.env.clipboard.readText(), 'secret-of-hello-1');
  });

  it('get another environment', async () => {
    const environment = () =>
      (projects()?.[0] as { serviceAccounts: (typeof ci)[] }).serviceAccounts[0]?.environment;
    await inMenu('setEnvironment', account, { kept: true });
    assert.equal(environment(), 'qa');
    await inMenu('setEnvironment', account, 'Other…', 'review');
    assert.equal(environment(), 'review');
    await inMenu('setEnvironment', account, 'No environment');
    assert.equal(environment(), undefined);
    await command('setEnvironment', { ...account, environment: 'prod' });
    assert.equal(environment(), 'prod');
  });

  it('are removed once that is confirmed, an account with its token', async () => {
    await command('setToken', { ...account, token: 'a-token' });
    await inMenu('removeServiceAccount', account, false);
    await inMenu('removeApp', app, false);
    assert.deepEqual(projects(), [acme]);
    await inMenu('removeServiceAccount', account, true);
    await inMenu('removeApp', app, true);
    assert.deepEqual(projects(), [{ ...acme, serviceAccounts: [{ id: 'sa-2' }], apps: [{ id: 'worker' }] }]);
    await command('addServiceAccount', { projectId: 'p-1', id: 'sa-ci' });
    await setSetting('baseUrl', 'http://127.0.0.1:1');
    try {
      await assert.rejects(command('listKeys', account), /No token is stored/);
    } finally {
      await setSetting('baseUrl', undefined);
    }
  });

  it('are those of the workspace and, where it does not name them, the user’s', async () => {
    await setSetting('projects', [{ id: 'w-1', apps: [{ id: 'shared' }] }, { id: 'p-2' }], Workspace);
    await setSetting('projects', [acme, { id: 'p-2', apps: [{ id: 'mine' }] }]);
    try {
      await command('rename', { ...app, name: 'hi' });
      await command('removeApp', { projectId: 'w-1', appId: 'shared' });
      await assert.rejects(command('removeApp', { projectId: 'p-2', appId: 'mine' }), /no app mine/);
      const questions: string[] = [];
      const decline = (...texts: string[]) => {
        questions.push(texts.join('\n'));
        return false;
      };
      await inMenu('removeProject', { projectId: 'p-2' }, decline);
      await inMenu('removeProject', { projectId: 'p-1' }, decline);
      assert.match(questions[0]!, /workspace settings, for everyone/);
      assert.doesNotMatch(questions[1]!, /workspace/);
      await command('removeProject', { projectId: 'p-2' });
      assert.deepEqual(settings().inspect('projects')?.workspaceValue, [{ id: 'w-1', apps: [] }]);
      assert.deepEqual(projects(), [{ ...acme, apps: [{ id: 'app-1', name: 'hi' }, { id: 'worker' }] }]);
    } finally {
      await setSetting('projects', undefined, Workspace);
    }
  });

  it('are found though the list names their project twice, and an account as prod only once', async () => {
    const again = { id: 'p-1', serviceAccounts: [{ id: 'sa-3' }, { ...ci, environment: 'prod' }] };
    await setSetting('projects', [acme, again]);
    await command('removeServiceAccount', { projectId: 'p-1', serviceAccountId: 'sa-3' });
    assert.deepEqual(projects(), [acme, { ...again, serviceAccounts: [{ ...ci, environment: 'prod' }] }]);
    await answerPrompts((question: string) => {
      assert.match(question, /in prod\?/);
      return false;
    });
    const call = { ...app, settings: { gpuCount: 1 } };
    await setSetting('baseUrl', 'http://127.0.0.1:9');
    await assert.rejects(command('applyAppSettings', call), /was not confirmed/);
    await setSetting('baseUrl', undefined);
  });

  it('are not those of the sandbox', async () => {
    const { projectId, serviceAccountId, apps } = await command<{
      projectId: string;
      serviceAccountId: string;
      apps: { id: string }[];
    }>('startSandbox');
    try {
      const appId = apps[0]!.id;
      for (const [name, argument] of [
        ['rename', { projectId, appId, name: 'x' }],
        ['removeApp', { projectId, appId }],
        ['removeServiceAccount', { projectId, serviceAccountId }],
        ['setEnvironment', { projectId, serviceAccountId, environment: 'prod' }],
      ] as const) {
        await assert.rejects(command(name, argument), /only while the sandbox runs/);
      }
    } finally {
      await command('stopSandbox');
    }
  });

  it('are not hidden by a sandbox with the id of one of them, whichever comes first', async () => {
    const run = async () => command<{ projectId: string }>('startSandbox');
    const appsOf = async (projectId: string) => command('removeApp', { projectId, appId: 'nothing' });
    await setSetting('projects', [{ id: 'p-sandbox' }]);
    try {
      assert.equal((await run()).projectId, 'p-sandbox-2');
      // Those of the sandbox cannot be changed; this one can, and lacks the app.
      await assert.rejects(appsOf('p-sandbox'), /no app nothing/);
      await command('stopSandbox');
      await setSetting('projects', []);
      assert.equal((await run()).projectId, 'p-sandbox');
      await setSetting('projects', [{ id: 'p-sandbox', apps: [{ id: 'mine' }] }]);
      await command('removeApp', { projectId: 'p-sandbox', appId: 'mine' });
    } finally {
      await command('stopSandbox');
    }
  });
});
